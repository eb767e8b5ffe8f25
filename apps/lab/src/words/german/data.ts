import type { Catalogue } from '../catalogue.ts';

/** German of data, and what the engine says about them. */
export const data: Catalogue = {
  '{0} has no column “{1}”. It has {2}{3}.': '{0} hat keine Spalte „{1}“. Vorhanden sind {2}{3}.',
  Points: 'Punkte',
  'Two clouds': 'Zwei Wolken',
  'A gap between the classes: the perceptron must stop, and a wider gap means fewer updates.':
    'Eine Lücke zwischen den Klassen: Das Perzeptron muss anhalten, und eine breitere Lücke bedeutet weniger Aktualisierungen.',
  Margin: 'Rand',
  'Barely separable': 'Knapp trennbar',
  'A line exists, but the gap is a hair’s width: it takes hundreds of updates to find it.':
    'Es gibt eine Gerade, aber die Lücke ist haarfein: Sie zu finden dauert Hunderte von Aktualisierungen.',
  'No line is right: the perceptron never stops, and a combination of the points proves it.':
    'Keine Gerade ist richtig: Das Perzeptron hält nie an, und eine Kombination der Punkte beweist es.',
  'Points per corner': 'Punkte je Ecke',
  Spread: 'Streuung',
  'On a line': 'Auf einer Linie',
  'One feature: without a bias the boundary is stuck at 0. With the constant 1 as a second feature, a line through the origin is enough.':
    'Ein Merkmal: Ohne Bias bleibt die Grenze bei 0. Mit der Konstanten 1 als zweitem Merkmal genügt eine Gerade durch den Ursprung.',
  'The lift': 'Das Anheben',
  'before: x': 'vorher: x',
  'after: (x, 1)': 'nachher: (x, 1)',
  'All positives first': 'Alle positiven zuerst',
  'If one class comes after the other, a pass teaches little; in turn or shuffled, the same points need far fewer passes.':
    'Kommt eine Klasse nach der anderen, lehrt ein Durchlauf wenig; im Wechsel oder gemischt brauchen dieselben Punkte viel weniger Durchläufe.',
  'all positives first': 'alle positiven zuerst',
  'An outlier': 'Ein Ausreißer',
  'One far point, on its right side, stretches R and with it the bound (R/γ)²; the margin stays the same.':
    'Ein ferner Punkt auf der richtigen Seite vergrößert R und damit die Schranke (R/γ)²; der Rand bleibt, wie er war.',
  'How far': 'Wie weit',
  'One point, both labels': 'Ein Punkt, zwei Klassen',
  'The same x once positive, once negative: no rule can be right about both, and no line separates.':
    'Dasselbe x einmal positiv, einmal negativ: Keine Regel kann bei beiden richtigliegen, und keine Gerade trennt.',
  'Two moons': 'Zwei Monde',
  'Classes with a clear gap that no line fits: a kernel bends the boundary.':
    'Klassen mit einer deutlichen Lücke, zu der keine Gerade passt: Ein Kernel krümmt die Grenze.',
  Noise: 'Rauschen',
  Circles: 'Kreise',
  'A disc inside a ring: no line separates, but the distance from the middle does.':
    'Eine Scheibe in einem Ring: Keine Gerade trennt, aber der Abstand von der Mitte.',
  Spirals: 'Spiralen',
  'Two arms around each other: lines do no better than chance, and a wide kernel needs many mistakes.':
    'Zwei Arme umeinander: Geraden sind nicht besser als der Zufall, und ein breiter Kernel braucht viele Fehler.',
  Turns: 'Windungen',
  'Unequal noise': 'Ungleiches Rauschen',
  'One narrow class and one wide one: rules that look at every example move the line towards the narrow class.':
    'Eine schmale und eine breite Klasse: Regeln, die jedes Beispiel beachten, schieben die Gerade zur schmalen Klasse.',
  Width: 'Breite',
  'Three classes: a weight vector for each, and the highest score wins. The view “Three classes” shows them at once.':
    'Drei Klassen: ein Gewichtsvektor für jede, und der höchste Score gewinnt. Die Ansicht „Drei Klassen“ zeigt alle zugleich.',
  'made from a seed by this page.': 'von dieser Seite aus einem Startwert erzeugt.',
  'Real measurements of 342 birds: a line tells Gentoo penguins from two other species.':
    'Echte Messungen an 342 Vögeln: Eine Gerade unterscheidet Eselspinguine (Gentoo) von zwei anderen Arten.',
  'Palmer Station, Antarctica LTER; K. Gorman; through vega-datasets.':
    'Palmer Station, Antarctica LTER; K. Gorman; über vega-datasets.',
  'Cylinders, displacement, origin and year of 398 cars: is the mileage good or bad? A table for a line and for a tree.':
    'Zylinder, Hubraum, Herkunft und Baujahr von 398 Autos: Ist der Verbrauch gut oder schlecht? Eine Tabelle für eine Gerade und für einen Baum.',
  'Auto MPG, StatLib (Carnegie Mellon University); through vega-datasets.':
    'Auto MPG, StatLib (Carnegie Mellon University); über vega-datasets.',
  'Forty short mails as counts of their words: the weights tell which words make a mail spam. Click on an example to read it.':
    'Vierzig kurze englische Mails als Anzahlen ihrer Wörter: Die Gewichte sagen, welche Wörter für Spam sprechen. Ein Klick auf ein Beispiel zeigt es.',
  'written for this page.': 'für diese Seite geschrieben.',
  '400 written digits of 8 × 8 pixels. The view “Digits” shows the weights as images; draw a digit there, and see what it is taken for.':
    '400 geschriebene Ziffern aus 8 × 8 Pixeln. Die Ansicht „Ziffern“ zeigt die Gewichte als Bilder; dort lässt sich eine Ziffer zeichnen und sehen, wofür sie gehalten wird.',
  'E. Alpaydin and C. Kaynak, “Optical Recognition of Handwritten Digits”, UCI Machine Learning Repository, 1998, CC BY 4.0; a part of its test set.':
    'E. Alpaydin und C. Kaynak, „Optical Recognition of Handwritten Digits“, UCI Machine Learning Repository, 1998, CC BY 4.0; ein Teil der Testmenge.',
  shuffled: 'gemischt',
};
