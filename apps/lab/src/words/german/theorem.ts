import type { Catalogue } from '../catalogue.ts';

/** German of the page of the theorem. */
export const theorem: Catalogue = {
  Print: 'Drucken',
  'Why the perceptron must stop': 'Warum das Perzeptron anhalten muss',
  'The perceptron corrects one mistake after the other. Each correction can break something else. Still, if any line separates the classes, it stops, and the number of corrections has a limit that is known beforehand. This page proves it with your own points: change them, and every number below follows.':
    'Das Perzeptron berichtigt einen Fehler nach dem anderen. Jede Berichtigung kann anderes verderben. Und doch: Wenn irgendeine Gerade die Klassen trennt, hält es an, und die Zahl der Berichtigungen hat eine Schranke, die man vorher kennt. Diese Seite beweist es an eigenen Punkten: Werden sie verändert, folgt jede Zahl.',
  '1. Your points': '1. Die Punkte',
  '2. A mistake and its correction': '2. Ein Fehler und seine Berichtigung',
  'Choose an update: the slider goes through all of them.': 'Eine Aktualisierung wählen: Der Schieber geht alle durch.',
  'The line before and after the update. The arrows are w before, y·x, and w after.':
    'Die Gerade vor und nach der Aktualisierung. Die Pfeile sind w vorher, y·x und w nachher.',
  '3. Is there a line?': '3. Gibt es eine Trenngerade?',
  'The hulls of the two classes meet.': 'Die Hüllen der beiden Klassen treffen sich.',
  'Two clouds that a line separates': 'Zwei Wolken, die eine Gerade trennt',
  'The page is looking for a line, or for a proof that there is none …':
    'Die Seite sucht eine Gerade oder einen Beweis, dass es keine gibt …',
  '3. Suppose that a line exists': '3. Angenommen, es gibt eine Trenngerade',
  'The line of w*, with the widest margin.': 'Die Gerade von w* mit dem breitesten Rand.',
  '4. Every update goes towards w*': '4. Jede Aktualisierung führt auf w* zu',
  'The cosine of the angle between w and w*, and its lower bound.':
    'Der Kosinus des Winkels zwischen w und w* und seine untere Schranke.',
  '5. But w grows slowly': '5. Aber w wächst langsam',
  'Let R be the length of the longest x. An update is made only at a mistake, so the middle term is not positive:':
    'Sei R die Länge des längsten x. Aktualisiert wird nur bei einem Fehler, also ist der mittlere Term nicht positiv:',
  'The circle that holds all points. R also counts the constant.':
    'Der Kreis, der alle Punkte enthält. R zählt auch die Konstante mit.',
  '6. The squeeze': '6. Die Zange',
  'The left end grows like k, the right end only like √k. The left must not overtake the right: the blades close at k = (R/γ)².':
    'Das linke Ende wächst wie k, das rechte nur wie √k. Das linke darf das rechte nicht überholen: Die Schere schließt sich bei k = (R/γ)².',
  'The blades, from 0 to where they close.': 'Die Schere von 0 bis dorthin, wo sie sich schließt.',
  '7. The theorem': '7. Der Satz',
  'Updates that are still possible, counted down by the run.':
    'Die noch möglichen Aktualisierungen, vom Lauf heruntergezählt.',
  '8. What it does not say': '8. Was der Satz nicht sagt',
  'It does not say how well the line does on new examples, nor that the line is w*: the perceptron stops at the first line without a mistake. If no line separates, it says nothing, and the run does not end by itself. The bound counts updates, not examples: between two updates there can be many examples without a mistake.':
    'Er sagt nicht, wie gut die Gerade neue Beispiele einordnet, und nicht, dass sie die Gerade von w* ist: Das Perzeptron hält bei der ersten Geraden ohne Fehler an. Wenn keine Gerade trennt, sagt der Satz nichts, und der Lauf endet nicht von selbst. Die Schranke zählt Aktualisierungen, nicht Beispiele: Zwischen zwei Aktualisierungen können viele Beispiele ohne Fehler liegen.',
  'The proof is by Novikoff (1962). The numbers of this page are computed here, from your points, by the library halfspace; w* and γ are found up to one part in a million, and γ is rounded down.':
    'Der Beweis stammt von Novikoff (1962). Die Zahlen dieser Seite berechnet hier, aus den gezeigten Punkten, die Bibliothek halfspace; w* und γ sind auf ein Millionstel genau, und γ ist abgerundet.',
  'Open these points in the lab': 'Diese Punkte im Lab öffnen',
  'Add, drag or erase points. Discs have the label y = +1, squares y = −1. There is no run yet: points of both classes are needed.':
    'Punkte setzen, ziehen oder löschen. Scheiben haben die Klasse y = +1, Quadrate y = −1. Noch gibt es keinen Lauf: Nötig sind Punkte beider Klassen.',
  'Add, drag or erase points. Discs have the label y = +1, squares y = −1. Here are <b>{0}</b>, and the perceptron made <b>{1}</b> before it was stopped.':
    'Punkte setzen, ziehen oder löschen. Scheiben haben die Klasse y = +1, Quadrate y = −1. Hier sind es <b>{0}</b>, und das Perzeptron machte <b>{1}</b>, bevor es angehalten wurde.',
  'Add, drag or erase points. Discs have the label y = +1, squares y = −1. Here are <b>{0}</b>, and the perceptron made <b>{1}</b> until it was right about all of them.':
    'Punkte setzen, ziehen oder löschen. Scheiben haben die Klasse y = +1, Quadrate y = −1. Hier sind es <b>{0}</b>, und das Perzeptron machte <b>{1}</b>, bis alle richtig waren.',
  'The line is given by a vector w. The constant 1 counts as one more coordinate of each x, and its weight is the bias, so that the line is where {0}. It begins with w = 0. An example is a mistake if {1}; then w changes:':
    'Die Gerade ist durch einen Vektor w gegeben. Die Konstante 1 zählt als weitere Koordinate jedes x, und ihr Gewicht ist der Bias; die Gerade liegt also dort, wo {0}. Am Anfang ist w = 0. Ein Beispiel ist ein Fehler, wenn {1}; dann ändert sich w:',
  'Update <b>{0}</b> is at example <b>{1}</b>: y⟨w, x⟩ = <b>{2}</b>, which is not above 0.':
    'Aktualisierung <b>{0}</b> geschieht bei Beispiel <b>{1}</b>: y⟨w, x⟩ = <b>{2}</b>, was nicht über 0 liegt.',
  'No line separates these points, and the page has a proof of it in <b>{0}</b>: mixed in the right shares, they give the same point in both classes.':
    'Keine Gerade trennt diese Punkte, und die Seite hat einen Beweis dafür, <b>{0}</b>: In den richtigen Anteilen gemischt, ergeben sie in beiden Klassen denselben Punkt.',
  'No line separates these points, and the page has a proof of it.':
    'Keine Gerade trennt diese Punkte, und die Seite hat einen Beweis dafür.',
  'Then the theorem promises nothing: the perceptron makes mistakes forever. Drag the points that are in the way back to their side, or start again.':
    'Dann verspricht der Satz nichts: Das Perzeptron macht für immer Fehler. Die störenden Punkte auf ihre Seite zurückziehen oder neu beginnen.',
  'Let w* be a vector of length 1 whose line separates the examples, and let every example have a distance of at least γ from it. For all of them:':
    'Sei w* ein Vektor der Länge 1, dessen Gerade die Beispiele trennt, und jedes Beispiel habe von ihr mindestens den Abstand γ. Für alle gilt:',
  'The proof only needs some such w* to exist; the perceptron never sees it. For your points the largest margin is γ = <b>{0}</b>.':
    'Der Beweis braucht nur, dass es irgendein solches w* gibt; das Perzeptron sieht es nie. Für diese Punkte ist der größte Rand γ = <b>{0}</b>.',
  'How far does w reach in the direction of w*? An update adds y·x, and so':
    'Wie weit reicht w in Richtung von w*? Eine Aktualisierung addiert y·x, also',
  'From 0, after k updates, {0}.': 'Von 0 aus gilt nach k Aktualisierungen {0}.',
  'At update <b>{0}</b> of your run, ⟨w, w*⟩ grows by y⟨x, w*⟩ = <b>{1}</b> to <b>{2}</b>; the theorem needs at least kγ = {3} · {4} = <b>{5}</b>.':
    'Bei Aktualisierung <b>{0}</b> dieses Laufs wächst ⟨w, w*⟩ um y⟨x, w*⟩ = <b>{1}</b> auf <b>{2}</b>; der Satz braucht mindestens kγ = {3} · {4} = <b>{5}</b>.',
  'From 0, after k updates, {0}. For your points R = <b>{1}</b>.':
    'Von 0 aus gilt nach k Aktualisierungen {0}. Für diese Punkte ist R = <b>{1}</b>.',
  'Update <b>{0}</b> adds 2 · ({1}) + {2} = <b>{3}</b> to ‖w‖². Now ‖w‖² = <b>{4}</b>, and at most kR² = <b>{5}</b>.':
    'Aktualisierung <b>{0}</b> addiert 2 · ({1}) + {2} = <b>{3}</b> zu ‖w‖². Nun ist ‖w‖² = <b>{4}</b>, und höchstens kR² = <b>{5}</b>.',
  'w* has length 1, so {0} (Cauchy and Schwarz). The two bounds meet in one chain:':
    'w* hat die Länge 1, also {0} (Cauchy und Schwarz). Die beiden Schranken treffen sich in einer Kette:',
  'For your points: ({0} / {1})² = {2}, so the perceptron makes <b>at most {3}</b>, in whatever order it meets the points. In this order it made <b>{4}</b>. Drag two points of different classes towards each other: γ falls, and the bound rises. Drag one point far out on its own side: R rises, and the bound with it.':
    'Für diese Punkte: ({0} / {1})² = {2}, also macht das Perzeptron <b>höchstens {3}</b>, in welcher Reihenfolge die Punkte auch kommen. In dieser machte es <b>{4}</b>. Zwei Punkte verschiedener Klassen zueinander ziehen: γ fällt, und die Schranke steigt. Einen Punkt auf seiner Seite weit hinausziehen: R steigt, und die Schranke mit.',
};
