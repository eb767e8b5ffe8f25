import type { Catalogue } from '../catalogue.ts';
import { dative } from './grammar.ts';

/** German of the other views. */
export const figures: Catalogue = {
  Compare: 'Vergleich',
  'Which is faster?': 'Wer ist schneller?',
  'This algorithm cannot learn these data. Choose another one to compare.':
    'Dieser Algorithmus kann diese Daten nicht lernen. Bitte einen anderen zum Vergleich wählen.',
  'The other run is being computed.': 'Der andere Lauf wird berechnet.',
  'Two runs after {0} examples. {1}. The picture is the plane of the second run.':
    'Zwei Läufe nach {0} Beispielen. {1}. Das Bild ist die Ebene des zweiten Laufs.',
  'the other run is being computed …': 'der andere Lauf wird berechnet …',
  '{0} wrong': '{0} falsch',
  'grown at once': 'auf einmal gewachsen',
  'stopped after {0}': 'Halt nach {0}',
  'The same, shuffled once': 'Derselbe, einmal gemischt',
  'The same, shuffled every pass': 'Derselbe, in jedem Durchlauf gemischt',
  'The same, drawn at random': 'Derselbe, zufällig gezogen',
  'The same, in turn': 'Derselbe, der Reihe nach',
  'your drawing': 'eigene Zeichnung',
  'example {0}': 'Beispiel {0}',
  'What does it look for?': 'Wonach sucht es?',
  'The columns of these data are no pixels. Open images, such as the written digits.':
    'Die Spalten dieser Daten sind keine Pixel. Bitte Bilder öffnen, etwa die geschriebenen Ziffern.',
  'This rule has no weights to show as images. Choose a rule that learns a line, such as perceptron.':
    'Diese Regel hat keine Gewichte, die sich als Bilder zeigen ließen. Bitte eine Regel wählen, die eine Gerade lernt, etwa das Perzeptron.',
  'Written digits': 'Geschriebene Ziffern',
  'Clear the drawing': 'Zeichnung löschen',
  'Draw a digit: arrow keys move the pen, space draws, Delete clears':
    'Eine Ziffer zeichnen: Pfeiltasten bewegen den Stift, Leertaste zeichnet, Entf löscht',
  'The pixels of {0}, and the weights of {1} against the rest as an image: the score is {2}, so it is taken for {3}.{4}':
    'Die Pixel von {0} und die Gewichte von {1} gegen den Rest als Bild: Der Score ist {2}, also gilt es als {3}.{4}',
  'Of all {0} classes {1} has the highest score': 'Von allen {0} Klassen hat {1} den höchsten Score',
  'Score {0}: taken for {1}': 'Score {0}: gilt als {1}',
  'Draw a digit over the left image.': 'Eine Ziffer über das linke Bild zeichnen.',
  'w of {0} against the rest': 'w von {0} gegen den Rest',
  'No other moment is better on the held-out examples.':
    'Kein Zeitpunkt ist auf den zurückgehaltenen Beispielen besser.',
  'Underfitting: more steps still make it better on examples that it has not learned from.':
    'Unteranpassung: Weitere Schritte verbessern die Vorhersage für Beispiele, aus denen nicht gelernt wurde.',
  'Overfitting: after its best step it got better on the examples that it learns from, and worse on the others.':
    'Überanpassung: Seit dem besten Schritt wurde die Vorhersage für die gelernten Beispiele besser und für die übrigen schlechter.',
  'Past its best on the held-out examples: stopping earlier would have been better.':
    'Der beste Zeitpunkt auf den zurückgehaltenen Beispielen ist vorbei: Früher anzuhalten wäre besser gewesen.',
  'Learning curve': 'Lernkurve',
  'When to stop?': 'Wann anhalten?',
  'A tree is grown at once, not in passes, so there is no moment to stop at. Choose a rule that learns one example at a time, such as perceptron.':
    'Ein Baum wächst auf einmal, nicht in Durchläufen; es gibt keinen Zeitpunkt zum Anhalten. Bitte eine Regel wählen, die ein Beispiel nach dem anderen lernt, etwa das Perzeptron.',
  '{0} with {1}{2} updates.': '{0} mit {1}{2} Aktualisierungen.',
  'Accuracies are being computed.': 'Genauigkeiten werden berechnet.',
  'After {0}, {1} of the training examples are right{2}.': (shown, share, more) =>
    `Nach ${dative(shown)} sind ${share} der gelernten Beispiele richtig${more}.`,
  ', {0} of the held-out ones': ', {0} der zurückgehaltenen',
  'Best on held-out examples: {0} after {1}.': (share, shown) =>
    `Am besten auf zurückgehaltenen Beispielen: ${share} nach ${dative(shown)}.`,
  'Nothing is held out: hold out some examples to see when to stop.':
    'Nichts wird zurückgehalten: einen Teil beiseitelegen, um zu sehen, wann man anhalten sollte.',
  'Hold out a quarter': 'Ein Viertel zurückhalten',
  'updates in each pass, {0} in all': 'Aktualisierungen je Durchlauf, {0} insgesamt',
  'passes, on a logarithmic scale': 'Durchläufe, auf logarithmischer Skala',
  'passes over the data': 'Durchläufe durch die Daten',
  'accuracies are being computed …': 'Genauigkeiten werden berechnet …',
  'accuracies are not known for this rule': 'Genauigkeiten sind für diese Regel nicht bekannt',
  'learned from {0}': 'gelernt: {0}',
  'held out {0}': 'zurückgehalten: {0}',
  'best {0}, pass {1}': 'am besten: {0}, Durchlauf {1}',
  'margin y·a of an example': 'Rand y·a eines Beispiels',
  'mean of {0}': 'Mittel von {0}',
  'What is it descending?': 'Was geht es hinab?',
  'Loss of one example': 'Verlust eines Beispiels',
  'Loss over all margins': 'Verlust über allen Rändern',
  'Along the last update': 'Entlang der letzten Aktualisierung',
  'Over two weights: {0}': 'Über zwei Gewichten: {0}',
  'A tree has no weights, so it descends no loss. Choose a rule that learns a line, such as perceptron or SGD.':
    'Ein Baum hat keine Gewichte und geht keinen Hang hinab. Bitte eine Regel wählen, die eine Gerade lernt, etwa Perzeptron oder SGD.',
  'This rule keeps examples instead of weights, so there is no slope to draw. Choose a rule that learns a line, such as perceptron or SGD.':
    'Diese Regel behält Beispiele statt Gewichten, es gibt also keinen Hang zu zeichnen. Bitte eine Regel wählen, die eine Gerade lernt, etwa Perzeptron oder SGD.',
  'No column of these data varies, so there is only the bias and nothing to draw it against. Look at the loss of one example.':
    'Keine Spalte dieser Daten ändert sich, es gibt nur den Bias und nichts, worüber er zu zeichnen wäre. Bitte den Verlust eines Beispiels ansehen.',
  'This run has no update, so there is no line through one. Look at the loss of one example.':
    'Dieser Lauf hat keine Aktualisierung, also keine Gerade durch eine. Bitte den Verlust eines Beispiels ansehen.',
  'Mean losses of the {0} drawn examples: {1}.': 'Mittlere Verluste der {0} gezeichneten Beispiele: {1}.',
  '{0} from {1} to {2}': '{0} von {1} auf {2}',
  'The update at step {0} changed the mean losses: {1}.':
    'Die Aktualisierung in Schritt {0} änderte die mittleren Verluste: {1}.',
  'Contours of the mean {0} loss over the {1} and the {2}, with all other weights as they are now, and the path of the weights. {3}':
    'Höhenlinien des mittleren Verlusts ({0}) über {1} und {2}, die übrigen Zahlen wie jetzt, mit dem Weg der Gewichte. {3}',
  'This rule descends the {0} loss.': 'Diese Regel geht diesen Verlust hinab: {0}.',
  'The example shown has the margin {0}{1}.': 'Das gezeigte Beispiel hat den Rand {0}{1}.',
  ', {0} before its update': ', {0} vor seiner Aktualisierung',
  'squared hinge': 'Hinge, quadriert',
  'modified Huber': 'Huber, modifiziert',
  'on the line through the update at step {0}': 'auf der Geraden durch die Aktualisierung in Schritt {0}',
  'mean {0} loss {1}, lowest here {2}': 'mittlerer Verlust ({0}) {1}, hier am kleinsten {2}',
  'w = y·x of the start + Σ nᵢ·yᵢ·xᵢ: each further arrow is an example’s yᵢ·xᵢ, once for each of its updates.':
    'w = y·x des Starts + Σ nᵢ·yᵢ·xᵢ: Jeder weitere Pfeil ist das yᵢ·xᵢ eines Beispiels, einmal je Aktualisierung.',
  'w = Σ nᵢ·yᵢ·xᵢ: each arrow is an example’s yᵢ·xᵢ, once for each of its updates.':
    'w = Σ nᵢ·yᵢ·xᵢ: Jeder Pfeil ist das yᵢ·xᵢ eines Beispiels, einmal je Aktualisierung.',
  ' (start)': ' (Start)',
  'In order': 'Der Reihe nach',
  'Most first': 'Meiste zuerst',
  'By pass': 'Je Durchlauf',
  'Dual sum': 'Duale Summe',
  Mistakes: 'Fehler',
  'Which points made w?': 'Welche Punkte machten w?',
  'A tree is not learned one mistake at a time: choose another rule, such as perceptron.':
    'Ein Baum lernt nicht Fehler für Fehler: bitte eine andere Regel wählen, etwa das Perzeptron.',
  'The answer of the rule {0} is no sum of y·x: choose a lecture, or the rule perceptron.':
    'Die Antwort der Regel {0} ist keine Summe von y·x: bitte eine Vorlesung wählen, oder das Perzeptron.',
  'This run is too long for every update to be kept, and the sum takes all: allow fewer passes.':
    'Dieser Lauf ist zu lang, um jede Aktualisierung zu behalten, und die Summe braucht alle: bitte weniger Durchläufe erlauben.',
  'Only some of these examples are drawn, and the sum takes all: choose “Most first”.':
    'Nur einige dieser Beispiele sind gezeichnet, und die Summe braucht alle: bitte „Meiste zuerst“ wählen.',
  'The sum of n·y·x as {0}, one after the other from 0 to ({1}) = ({2}, {3}).': (arrows, names, x, y) =>
    `Die Summe der n·y·x als ${arrows}, einer nach dem anderen von 0 bis (${names}) = (${x}, ${y}).`,
  'A bar for each pass{0}': 'Ein Balken für jeden Durchlauf{0}',
  '; updates so far: {0}{1}.': '; Aktualisierungen bisher: {0}{1}.',
  'example {0} {1}': 'Beispiel {0}: {1}',
  'A bar for each example with updates, most first{0}':
    'Ein Balken für jedes Beispiel mit Aktualisierungen, die meisten zuerst{0}',
  'A bar for each of {0} examples, in order.': 'Ein Balken für jedes von {0} Beispielen, der Reihe nach.',
  ' Most on example {0}: {1}.': ' Die meisten bei Beispiel {0}: {1}.',
  '{0} so far, on {1} of {2} examples.{3}': '{0} bisher, bei {1} von {2} Beispielen.{3}',
  'x{0} just shown': 'x{0}, eben gezeigt',
  ' w starts at y·x{0}, which is no update.': ' w beginnt bei y·x{0}, was keine Aktualisierung ist.',
  ' The first {0} are drawn.': ' Die ersten {0} sind gezeichnet.',
  'Each bar counts the updates of {0} examples in a row; faint: by the end of the run.{1}':
    'Jeder Balken zählt die Aktualisierungen von {0} Beispielen in Folge; blass: bis zum Ende des Laufs.{1}',
  'How often each example made an update: by now, and faintly by the end of the run.{0}{1}':
    'Wie oft jedes Beispiel aktualisiert wurde: bisher, und blass bis zum Ende des Laufs.{0}{1}',
  'examples, most mistakes first': 'Beispiele, die mit den meisten Fehlern zuerst',
  'examples, {0} a bar': 'Beispiele, {0} je Balken',
  'examples, in order': 'Beispiele, der Reihe nach',
  'updates in it': 'Aktualisierungen darin',
  'updates in all': 'Aktualisierungen insgesamt',
  'Each bar counts the updates of {0} passes; faint: by the end of the run.':
    'Jeder Balken zählt die Aktualisierungen von {0} Durchläufen; blass: bis zum Ende des Laufs.',
  'Updates in each pass. In a pass without updates every example is right.':
    'Aktualisierungen in jedem Durchlauf. In einem Durchlauf ohne Aktualisierung ist jedes Beispiel richtig.',
  'passes, {0} a bar': 'Durchläufe, {0} je Balken',
  'Weights now': 'Gewichte jetzt',
  'Weights before': 'Gewichte vorher',
  'Weights that answer': 'Gewichte der Antwort',
  'The neuron': 'Das Neuron',
  'What does it compute?': 'Was berechnet es?',
  'The rule {0} is no single neuron: choose a rule that learns a line, such as perceptron.':
    'Die Regel {0} ist kein einzelnes Neuron: bitte eine Regel wählen, die eine Gerade lernt, etwa das Perzeptron.',
  ' Inputs are divided by {0}.': ' Eingaben sind durch {0} geteilt.',
  'The wider a stroke, the larger its weight; solid is positive, dashed negative.{0}':
    'Je breiter ein Strich, desto größer sein Gewicht; durchgezogen ist positiv, gestrichelt negativ.{0}',
  'No neuron to show.': 'Kein Neuron zu zeigen.',
  '{0} {1} times {2}': '{0} {1} mal {2}',
  ', and so on': ', und so weiter',
  'Example {0}: {1}{2}. The sum is {3}, the threshold {4}, so the class is {5}{6}.':
    'Beispiel {0}: {1}{2}. Die Summe ist {3}, die Schwelle {4}, also ist die Klasse {5}{6}.',
  ', which is right': ', was richtig ist',
  ', which is wrong': ', was falsch ist',
  '{0} others': '{0} weitere',
  'is there': 'ist da',
  'is missing': 'fehlt',
  '= false': '= falsch',
  '= true': '= wahr',
  ' or other': ' oder anderes',
  '… {0} more': '… {0} weitere',
  'tree {0} right{1}, of what is drawn': 'Baum {0} richtig{1}, vom Gezeichneten',
  ', line {0}': ', Gerade {0}',
  'always {0}': 'immer {0}',
  ' … {0} more': ' … {0} weitere',
  'There is one feature only, so the tree’s questions are cuts of a line. Look at the tree.':
    'Es gibt nur ein Merkmal, die Fragen des Baums sind also Schnitte einer Linie. Bitte den Baum ansehen.',
  'One of the two features of the plane is a level of a category, which has no range to cut. Choose two columns of numbers for the plane.':
    'Eines der zwei Merkmale der Ebene ist ein Wert einer Kategorie und hat keinen Bereich zum Teilen. Bitte zwei Spalten mit Zahlen für die Ebene wählen.',
  'What would a tree ask?': 'Was fragte ein Baum?',
  'Its questions': 'Seine Fragen',
  'Its answers beside the line': 'Seine Antworten neben der Geraden',
  'No tree can be grown from these data: there are too many columns, or too few examples. Choose data with fewer columns.':
    'Aus diesen Daten kann kein Baum wachsen: Er sieht Spalten einzeln an, und es sind zu viele, oder zu wenige Beispiele. Bitte Daten mit weniger Spalten wählen.',
  'a tree is being grown …': 'ein Baum wächst …',
  'A tree is being grown from the same examples.': 'Ein Baum wächst aus denselben Beispielen.',
  'The answers of the tree as rectangles over {0} and {1}, with the line.':
    'Die Antworten des Baums als Rechtecke über {0} und {1}, mit der Geraden.',
  'A decision tree with {0} and {1}: right on {2} of the drawn examples{3}.':
    'Ein Entscheidungsbaum mit {0} und {1}: richtig bei {2} der gezeichneten Beispiele{3}.',
  ', the line on {0}': ', die Gerade bei {0}',
  'It first asks for {0}.': 'Er fragt zuerst nach {0}.',
  'The path of the example: {0}.': 'Der Weg des Beispiels: {0}.',
  'Why won’t it converge?': 'Warum keine Konvergenz?',
  'A line separates these data, so the perceptron stops. Choose data that no line separates, such as XOR.':
    'Eine Gerade trennt diese Daten, das Perzeptron hält also an. Bitte Daten wählen, die keine Gerade trennt, etwa XOR.',
  'It is not known if a line separates these data. Choose fewer rows or columns, so that a proof can be found.':
    'Ob eine Gerade diese Daten trennt, ist nicht bekannt. Bitte weniger Zeilen oder Spalten wählen, damit sich ein Beweis finden lässt.',
  'Use {0}': 'Nehmen: {0}',
  'Remove {0}': '{0} herausnehmen',
  'A proof is being looked for.': 'Ein Beweis wird gesucht.',
  'example {0} with weight {1}': 'Beispiel {0} mit Gewicht {1}',
  ' and {0} more': ' und {0} weitere',
  '{0} The proof has {1}{2}.{3}': '{0} Der Beweis hat {1}{2}.{3}',
  'No line separates these data: {0}, mixed with these weights, give the same point in both classes. A line would have to have that point on both sides.':
    (amount) =>
      `Keine Gerade trennt diese Daten: ${amount}, mit diesen Gewichten gemischt, ergeben in beiden Klassen denselben Punkt. Eine Gerade müsste diesen Punkt auf beiden Seiten haben.`,
  '{0}: {1} of {2} wrong': '{0}: {1} von {2} falsch',
  'a proof is being looked for …': 'ein Beweis wird gesucht …',
  'example 00000': 'Beispiel 00000',
  'What other rules reach on the same examples': 'Was andere Regeln bei denselben Beispielen erreichen',
  '100.0 % right': '100.0 % richtig',
  'too many examples': 'zu viele Beispiele',
  '{0} right': '{0} richtig',
  'and {0} more': 'und {0} weitere',
  'shuffled every pass': 'in jedem Durchlauf gemischt',
  perceptron: 'Perzeptron',
  hinge: 'Hinge',
  logistic: 'logistisch',
  loss: 'Verlust',
  score: 'Score',
  input: 'Eingabe',
  threshold: 'Schwelle',
  bias: 'Bias',
  'weight of {0}': 'Gewicht von {0}',
  otherwise: 'sonst',
};
