import type { Catalogue } from '../catalogue.ts';
import { dative } from './grammar.ts';

/** German of the views that show a plane or a space. */
export const spaces: Catalogue = {
  'Three classes': 'Drei Klassen',
  'What about three classes?': 'Und bei drei Klassen?',
  'One learner for all': 'Ein Lernender für alle',
  'Each against the rest': 'Jede gegen den Rest',
  'These data have two classes. Open data with three, such as three clouds or the penguins.':
    'Diese Daten haben zwei Klassen. Bitte Daten mit dreien öffnen, etwa drei Wolken oder die Pinguine.',
  'These data have {0} classes, and regions of three can be told apart. Open data with three classes.':
    'Diese Daten haben {0} Klassen; unterscheidbar sind die Gebiete von dreien. Bitte Daten mit drei Klassen öffnen.',
  'There is one feature only, so there is no plane. Open data with two.':
    'Es gibt nur ein Merkmal, also keine Ebene. Bitte Daten mit zweien öffnen.',
  'The several-class perceptron cannot learn these data. Open other data.':
    'Das Perzeptron für mehrere Klassen kann diese Daten nicht lernen. Bitte andere Daten öffnen.',
  'The run on all classes is being computed.': 'Der Lauf mit allen Klassen wird berechnet.',
  'The plane with a region for each class, {0}: {1}.{2}': 'Die Ebene mit einem Gebiet für jede Klasse, {0}: {1}.{2}',
  'the run is being computed …': 'der Lauf wird berechnet …',
  'other columns at their means': 'andere Spalten im Mittel',
  '{0} of {1} wrong': '{0} von {1} falsch',
  ', stopped after {0} examples': ', Halt nach {0} Beispielen',
  'Example {0} is {1}': 'Beispiel {0} ist {1}',
  '{0}, best other {1}': '{0}, beste andere {1}',
  '{0} ({1}): w of {2} grows by x, w of {3} shrinks by x.':
    '{0} ({1}): w von {2} wächst um x, w von {3} schrumpft um x.',
  '{0} ({1}): nothing changes.': '{0} ({1}): Nichts ändert sich.',
  'nothing changes': 'nichts ändert sich',
  'Kernel lift': 'Kernel-Anheben',
  'What does a kernel do?': 'Was tut ein Kernel?',
  'Height x1·x2': 'Höhe x1·x2',
  'Height x1² + x2²': 'Höhe x1² + x2²',
  'The lift needs two features: with the third one it fills the space. Open points of a plane, such as XOR.':
    'Das Anheben braucht zwei Merkmale: Mit dem dritten füllt es den Raum. Bitte Punkte einer Ebene öffnen, etwa XOR.',
  'The perceptron cannot learn these data. Open other data.':
    'Das Perzeptron kann diese Daten nicht lernen. Bitte andere Daten öffnen.',
  'The run in three features is being computed.': 'Der Lauf in drei Merkmalen wird berechnet.',
  'Each example stands at the height {0} over its place. {1}. The plane that separates them meets the surface above a curve, which is drawn on the ground. Seen turned by {2}°, from {3}° above.':
    'Jedes Beispiel steht in der Höhe {0} über seinem Ort. {1}. Die Ebene, die sie trennt, trifft die Fläche über einer Kurve, die auf dem Boden gezeichnet ist. Gesehen um {2}° gedreht, aus {3}° Höhe.',
  '{0} (heights × {1})': '{0} (Höhen × {1})',
  Lift: 'Anheben',
  'What does the bias do?': 'Was tut der Bias?',
  'A tree has no bias: it asks about one column at a time. Choose a rule that learns a line, such as perceptron.':
    'Ein Baum hat keinen Bias: Er fragt nach einer Spalte auf einmal. Bitte eine Regel wählen, die eine Gerade lernt, etwa das Perzeptron.',
  'This rule keeps examples instead of weights and a bias. Choose a rule that learns a line, such as perceptron.':
    'Diese Regel behält Beispiele statt Gewichten und Bias. Bitte eine Regel wählen, die eine Gerade lernt, etwa das Perzeptron.',
  'No column of these data varies, so there is nothing to lift. Add an example at another place.':
    'Keine Spalte dieser Daten ändert sich, also gibt es nichts anzuheben. Bitte ein Beispiel an anderer Stelle hinzufügen.',
  'This rule has no bias, so its line goes through the origin as it is. Choose a rule with a bias, such as perceptron.':
    'Diese Regel hat keinen Bias, ihre Gerade geht also ohnehin durch den Ursprung. Bitte eine Regel mit Bias wählen, etwa das Perzeptron.',
  'Each example x stands at (x, {0}). {1}': 'Jedes Beispiel x steht bei (x, {0}). {1}',
  'The weight is 0, so no point separates the classes.': 'Das Gewicht ist 0, also trennt kein Punkt die Klassen.',
  'The separating point {0} has become a line through the origin, at right angles to (w, b) = ({1}, {2}).':
    'Aus dem Trennpunkt {0} ist eine Gerade durch den Ursprung geworden, rechtwinklig zu (w, b) = ({1}, {2}).',
  ' All other features are at their means, which count with the bias.':
    ' Alle anderen Merkmale sind in ihrem Mittel, das zum Bias zählt.',
  "The examples stand at the height {0} of one more feature, the constant. The boundary is where a plane through the origin meets that height; the plane's normal is (w, b), with the bias {1}.{2} Seen turned by {3}°, from {4}° above.":
    'Die Beispiele stehen in der Höhe {0} eines weiteren Merkmals, der Konstanten. Die Grenze liegt dort, wo eine Ebene durch den Ursprung diese Höhe trifft; die Normale der Ebene ist (w, b), mit dem Bias {1}.{2} Gesehen um {3}° gedreht, aus {4}° Höhe.',
  'the constant': 'die Konstante',
  'w = 0 and b = 0: no plane yet': 'w = 0 und b = 0: noch keine Ebene',
  'Turn the space': 'Den Raum drehen',
  'turned by {0}°, seen from {1}° above': 'um {0}° gedreht, aus {1}° Höhe',
  'distance to the learned line': 'Abstand zur gelernten Geraden',
  'where the rest varies most': 'wo der Rest am meisten streut',
  'Sides of the line': 'Seiten der Geraden',
  'Its margin and normal': 'Ihr Rand und ihre Normale',
  'The update as vectors': 'Die Aktualisierung als Vektoren',
  'Where hulls meet': 'Wo sich Hüllen treffen',
  'Widest margin: w*': 'Breitester Rand: w*',
  'Radius R': 'Radius R',
  'Where am I?': 'Wo bin ich?',
  '{0} examples drawn of {1}; {2} after {3} shown.': (drawn, all, updates, shown) =>
    `${drawn} Beispiele von ${all} gezeichnet; ${updates} nach ${dative(shown)}.`,
  'All are on their right side.': 'Alle sind auf der richtigen Seite.',
  'No line separates: the hulls of {0} examples meet.':
    'Keine Gerade trennt: Die Hüllen von {0} Beispielen treffen sich.',
  'The boundary is that of a tree: pieces at right angles to the axes.':
    'Die Grenze ist die eines Baums: Stücke rechtwinklig zu den Achsen.',
  'There is no boundary yet.': 'Noch gibt es keine Grenze.',
  'The boundary is a curve: where the score is 0.': 'Die Grenze ist eine Kurve: wo der Score 0 ist.',
  'There is no line yet: w is 0.': 'Noch gibt es keine Gerade: w ist 0.',
  'The score is the same everywhere.': 'Der Score ist überall derselbe.',
  'Seen along the line that the run ends with; other lines are cut at the mean.':
    'Gesehen entlang der Geraden, mit der der Lauf endet; andere sind im Mittel geschnitten.',
  'The boundary is drawn where all other features have their mean.':
    'Die Grenze ist dort gezeichnet, wo alle anderen Merkmale ihr Mittel haben.',
  'The boundary is the point {0}.': 'Die Grenze ist der Punkt {0}.',
  'The line is {0}·{1} {2}·{3} {4} = 0.': 'Die Gerade ist {0}·{1} {2}·{3} {4} = 0.',
  'Example {0} is not drawn.': 'Beispiel {0} ist nicht gezeichnet.',
  'at {0}': 'bei {0}',
  'Seen along the line that the run ends with; others are cut at the mean.':
    'Gesehen entlang der Geraden, mit der der Lauf endet; andere im Mittel geschnitten.',
  '{0} of {1} drawn': '{0} von {1} gezeichnet',
  'points of {0}': 'Punkte von {0}',
  'w before': 'w vorher',
  'w after': 'w nachher',
  'arrows × {0}': 'Pfeile × {0}',
  'w₁ and w₂': 'w₁ und w₂',
  'w₁ and b': 'w₁ und b',
  'w₂ and b': 'w₂ und b',
  'What is a solution?': 'Was ist eine Lösung?',
  'The rule {0} does not answer with one vector of weights: choose a rule that learns a line, such as perceptron.':
    'Die Regel {0} antwortet nicht mit einem Gewichtsvektor: bitte eine Regel wählen, die eine Gerade lernt, etwa das Perzeptron.',
  'no w here is right everywhere': 'kein w hier ist überall richtig',
  'right everywhere': 'überall richtig',
  'No weights to show.': 'Keine Gewichte zu zeigen.',
  'Weight space: {0}. {1} drawn examples have w on their right side.':
    'Gewichtsraum: {0}. Für {1} gezeichnete Beispiele liegt w auf der richtigen Seite.',
  'Each line is an example. On one of its sides w is wrong about it: shaded for the example just shown.':
    'Jede Gerade ist ein Beispiel; auf einer Seite liegt w dafür falsch: schattiert für das eben gezeigte.',
  'Each line is an example; on its shaded side w is wrong about it.':
    'Jede Gerade ist ein Beispiel; auf der schattierten Seite liegt w dafür falsch.',
  '{0} Solutions fill the cone left free.': '{0} Lösungen füllen den freien Kegel.',
  '{0} Slice at the present {1}{2}.': '{0} Schnitt beim jetzigen {1}{2}.',
  ' and other weights': ' und anderen Gewichten',
  'w of {0} grows by x': 'w von {0} wächst um x',
  'w of {0} shrinks by x': 'w von {0} schrumpft um x',
  squares: 'Quadrate',
  discs: 'Scheiben',
  triangles: 'Dreiecke',
  '1 is on the wrong side.': '1 ist auf der falschen Seite.',
  '{0} are on the wrong side.': '{0} sind auf der falschen Seite.',
  'score {0}': 'Score {0}',
};
