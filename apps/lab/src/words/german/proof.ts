import type { Catalogue } from '../catalogue.ts';
import { dative } from './grammar.ts';

/** German of the view of the proof. */
export const proof: Catalogue = {
  'as a coordinate': 'als Koordinate',
  'bias {0}': 'Bias {0}',
  'updates k': 'Aktualisierungen k',
  'margin(w)': 'Rand(w)',
  'No line has a margin above {0}. The margin of w itself, margin(w), is below 0 as long as an example is wrong.':
    'Keine Gerade hat einen Rand über {0}. Der Rand von w selbst, Rand(w), liegt unter 0, solange ein Beispiel falsch ist.',
  'No line separates, so γ* is 0: {0}, at most {1} ÷ {2}, falls towards it.':
    'Keine Gerade trennt, also ist γ* = 0: {0}, höchstens {1} ÷ {2}, fällt darauf zu.',
  '{0} At k = {1} it was 0: those y·x add up to 0, which proves it.':
    '{0} Bei k = {1} war es 0: Diese y·x ergeben zusammen 0, was es beweist.',
  'at least': 'mindestens',
  'A cosine is at most 1; its lower bound reaches 1 at {0} = {1} = {2}.':
    'Ein Kosinus ist höchstens 1; seine untere Schranke erreicht 1 bei {0} = {1} = {2}.',
  'from here': 'von hier an',
  'made by this run': 'tatsächlich gemacht',
  'made so far': 'bisher gemacht',
  'The theorem allows {0}; “from here” is what the same proof allows from the present w.':
    'Der Satz erlaubt {0}; „von hier an“ zählt denselben Beweis ab dem jetzigen w.',
  'After {0}': (updates) => `Nach ${dative(updates)}`,
  'Drawn up to the bound. {0} {1}': 'Gezeichnet bis zur Schranke. {0} {1}',
  '{0} = {1}, at most {2} = {3}': '{0} = {1}, höchstens {2} = {3}',
  'No line separates, so nothing ends the run.': 'Keine Gerade trennt, also beendet nichts den Lauf.',
  'It is not known yet if a line separates.': 'Noch ist nicht bekannt, ob eine Gerade trennt.',
  '{0} = {1}, at least {2} = {3}': '{0} = {1}, mindestens {2} = {3}',
  '{0}; {1}. Both bounds meet at {2} = {3}: at most {4}.':
    '{0}; {1}. Beide Schranken treffen sich bei {2} = {3}: höchstens {4}.',
  angle: 'Winkel',
  allowed: 'erlaubt',
  made: 'gemacht',
  before: 'vorher',
  after: 'nachher',
  'w is 0, so it has no angle': 'ist w = 0 und hat keinen Winkel',
  'the cosine of w and w* is {0}': 'ist der Kosinus von w und w* {0}',
  '{0}; it is at least {1}, and at most 1. The lower bound reaches 1 at {2} = {3}.':
    '{0}; er ist mindestens {1} und höchstens 1. Die untere Schranke erreicht 1 bei {2} = {3}.',
  'the theorem allows {0} more of {1}, and the same proof, begun at the present w, allows {2}; this run makes {3} more.':
    'erlaubt der Satz noch {0} von {1}, und derselbe Beweis ab dem jetzigen w {2}; dieser Lauf macht noch {3}.',
  'no line separates, so the largest margin γ* is 0': 'trennt keine Gerade, also ist der größte Rand γ* = 0',
  'the largest margin γ* = {0}': 'ist der größte Rand γ* = {0}',
  'the largest margin γ* is not known': 'ist der größte Rand γ* nicht bekannt',
  '{0}; w is 0 and bounds nothing yet.': '{0}; w ist 0 und beschränkt noch nichts.',
  '{0}; the margin of w is {1}, and {2} = {3}: γ* lies between them.':
    '{0}; der Rand von w ist {1}, und {2} = {3}: γ* liegt dazwischen.',
  Scissors: 'Schere',
  'Scissors to the bound': 'Schere bis zur Schranke',
  Cosine: 'Kosinus',
  'Bound counting down': 'Schranke, heruntergezählt',
  'Bracket on γ*': 'Eingrenzung von γ*',
  'The proof': 'Der Beweis',
  'Why must it stop?': 'Warum muss es anhalten?',
  'The theorem is about sums of y·x, which the rule {0} does not make: choose a lecture, or the rule perceptron, averaged, voted or pocket.':
    'Der Satz handelt von Summen von y·x, und die Regel {0} bildet keine: bitte eine Vorlesung wählen, oder Perzeptron, Gemittelt, Abstimmung oder Pocket.',
  'The weights of this run were not kept: choose the rule perceptron, or fewer examples.':
    'Die Gewichte dieses Laufs wurden nicht behalten: bitte das Perzeptron wählen, oder weniger Beispiele.',
  'The run bounds γ* of both sides only with the bias as a coordinate: choose that above the plane.':
    'Der Lauf grenzt γ* nur mit dem Bias als Koordinate von beiden Seiten ein: bitte das über der Ebene wählen.',
  'the bound': 'die Schranke',
  ' after the start': ' nach dem Start',
  ' The run itself found this w*.': ' Mit einem w*, das dieser Lauf selbst fand.',
  ' v = (w, b), and ‖v*‖² = 1 + b*².': ' v = (w, b), und ‖v*‖² = 1 + b*².',
  'The blades meet at {0}{1}: at most {2}. ': 'Die Schere schließt sich bei {0}{1}: höchstens {2}. ',
  'As a coordinate: R = {0}, γ = {1}, of (x, {2}) and (w*, b*).':
    'Als Koordinate: R = {0}, γ = {1}, von (x, {2}) und (w*, b*).',
  'Apart: R = {0}, γ = {1}, of x and w* alone; (R/γ)² is no bound then.':
    'Getrennt: R = {0}, γ = {1}, von x und w* allein; (R/γ)² ist dann keine Schranke.',
  'No line separates: there is no w*, so no lower blade, and nothing ends the run. Even so, {0}² grows by at most {1} per update.':
    'Keine Gerade trennt: Es gibt kein w*, also keine untere Schneide, und nichts beendet den Lauf. Dennoch wächst {0}² je Aktualisierung um höchstens {1}.',
  'The lab is still looking for a w*. In any case {0}² grows by at most {1} per update.':
    'Das Lab sucht noch ein w*. In jedem Fall wächst {0}² je Aktualisierung um höchstens {1}.',
  'It is not known if there is a w*. In any case {0}² grows by at most {1} per update.':
    'Ob es ein w* gibt, ist nicht bekannt. In jedem Fall wächst {0}² je Aktualisierung um höchstens {1}.',
  'No line separates these examples, so there is no w* to measure against. Choose “Scissors” or “Bracket on γ*”.':
    'Keine Gerade trennt diese Beispiele, also gibt es kein w* zum Vergleich. Bitte „Schere“ oder „Eingrenzung von γ*“ wählen.',
  'The lab is still looking for a w*.': 'Das Lab sucht noch ein w*.',
  'It is not known if there is a w*. Choose “Scissors” or “Bracket on γ*”.':
    'Ob es ein w* gibt, ist nicht bekannt. Bitte „Schere“ oder „Eingrenzung von γ*“ wählen.',
  'This run made {0}.': 'Dieser Lauf machte {0}.',
  'This run has made {0}.': 'Dieser Lauf machte bisher {0}.',
  apart: 'getrennt',
};
