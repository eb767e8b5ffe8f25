import type { Catalogue } from '../catalogue.ts';

/** Messages of the worker, which loads no others: of reading data, and of refused data and options. */
export const engine = {
  none: 'keine',
  'There is no run yet.': 'Es gibt noch keinen Lauf.',
  'Choose other columns.': 'Bitte andere Spalten wählen.',
  'The column “{0}” has no class “{1}”. Choose one of: {2}.':
    'Die Spalte „{0}“ hat keine Klasse „{1}“. Zur Wahl stehen: {2}.',
  'Move a point, or add one elsewhere.': 'Einen Punkt bewegen oder anderswo einen hinzufügen.',
  'No column tells examples apart: {0}. {1}': 'Keine Spalte unterscheidet die Beispiele: {0}. {1}',
  'There is no column “{0}” to predict. Choose one of: {1}.':
    'Es gibt keine Spalte „{0}“ vorherzusagen. Zur Wahl stehen: {1}.',
  'There is no column “{0}”. There are: {1}.': 'Es gibt keine Spalte „{0}“. Vorhanden sind: {1}.',
  'There is no column to learn from: choose at least one besides the label.':
    'Es gibt keine Spalte zum Lernen: Bitte außer der Klasse mindestens eine wählen.',
  'There is a line of names, but no row below it. Give a row for each example.':
    'Es gibt eine Zeile mit Namen, aber keine darunter. Jedes Beispiel braucht eine Zeile.',
  'Row {0} has nothing in the column to predict, “{1}”. Fill it in, or remove the row.':
    'In Zeile {0} ist die vorherzusagende Spalte „{1}“ leer. Bitte füllen oder die Zeile streichen.',
  'Row {0} has “{1}” in column “{2}”, where {3} is expected. Correct or empty that cell, or leave the column out.':
    'Zeile {0} enthält „{1}“ in der Spalte „{2}“, wo etwas anderes erwartet wird: {3}. Die Zelle berichtigen oder leeren, oder die Spalte weglassen.',
  'Two classes are needed; the column “{0}” has {1}. Add examples of another class, or choose another column to predict.':
    'Zwei Klassen sind nötig; die Spalte „{0}“ hat {1}. Beispiele einer weiteren Klasse hinzufügen oder eine andere Spalte vorhersagen.',
  'only “{0}”': 'nur „{0}“',
  'The column “{0}” has {1} different values, too many for classes. Choose another column to predict, or one of its values as the positive class.':
    'Die Spalte „{0}“ hat {1} verschiedene Werte: Das sind kaum Klassen. Eine andere Spalte vorhersagen oder einen ihrer Werte als positive Klasse wählen.',
  '“{0}” has {1} classes: {2}. “{3}” is set against the others until you choose another.':
    '„{0}“ hat {1} Klassen: {2}. „{3}“ steht gegen die übrigen, bis eine andere gewählt wird.',
  'There are no points yet: add at least one of each class.':
    'Es gibt noch keine Punkte: Bitte je Klasse mindestens einen setzen.',
  'All points are of one class: add at least one of the other.':
    'Alle Punkte gehören zu einer Klasse: Bitte mindestens einen der anderen setzen.',
  'the file': 'die Datei',
  'Other data were opened meanwhile.': 'Inzwischen wurden andere Daten geöffnet.',
  'The first line has {0} cells. The page takes tables of up to {1} columns; for wider ones there is the command, halfspace train.':
    'Die erste Zeile hat {0} Zellen. Die Seite nimmt Tabellen mit bis zu {1} Spalten; für breitere gibt es den Befehl halfspace train.',
  'There is only one column. A table needs a column to predict and one to learn from, with commas, semicolons or tabs between them.':
    'Es gibt nur eine Spalte. Eine Tabelle braucht eine Spalte zum Vorhersagen und eine zum Lernen, getrennt durch Kommas, Semikolons oder Tabulatoren.',
  'There is nothing in it. Give a table with a line of names and a row for each example.':
    'Sie ist leer. Nötig ist eine Tabelle mit einer Zeile von Namen und einer Zeile für jedes Beispiel.',
  'Save the table as CSV in UTF-8 and open that.': 'Die Tabelle bitte als CSV in UTF-8 speichern und diese öffnen.',
  'This is a gzip archive. Unpack it and open the CSV in it.':
    'Das ist ein gzip-Archiv. Bitte entpacken und die CSV darin öffnen.',
  'This is an archive or a spreadsheet, not text. {0}':
    'Das ist ein Archiv oder eine Tabellenkalkulation, kein Text. {0}',
  'Open it again.': 'Bitte erneut öffnen.',
  'Correct that line. A cell with a delimiter, a quotation mark or a line end in it needs quotation marks around it.':
    'Bitte diese Zeile berichtigen. Eine Zelle mit Trennzeichen, Anführungszeichen oder Zeilenende braucht Anführungszeichen.',
  'the data': 'die Daten',
  'not {0}': 'nicht {0}',
  '{0} of {1} examples are drawn; all are learned from.':
    '{0} von {1} Beispielen sind gezeichnet; gelernt wird aus allen.',
  'Left out: {0}.': 'Weggelassen: {0}.',
  'Looking for a line…': 'Eine Gerade wird gesucht…',
  'Measuring the margin…': 'Der Rand wird gemessen…',
  'No line separates the examples; there are too many of them to prove it here example by example.':
    'Keine Gerade trennt die Beispiele; es sind zu viele, um es hier Beispiel für Beispiel zu beweisen.',
  'The data are too large to look for a proof here; the command halfspace certify may have one.':
    'Die Daten sind zu groß, um hier einen Beweis zu suchen; der Befehl halfspace certify findet vielleicht einen.',
  'Looking for a proof…': 'Ein Beweis wird gesucht…',
  'A line separates the examples, but its margin is too small for floating-point bounds.':
    'Eine Gerade trennt die Beispiele, aber ihr Rand ist zu klein für Schranken in Gleitkommazahlen.',
  'Neither a line nor a proof that there is none was found within {0} seconds.':
    'Innerhalb von {0} Sekunden fand sich weder eine Gerade noch ein Beweis, dass es keine gibt.',
  'Data of two features are needed: choose two columns.':
    'Nötig sind Daten mit zwei Merkmalen: bitte zwei Spalten wählen.',
  'Open data first.': 'Bitte zuerst Daten öffnen.',
} satisfies Catalogue;
