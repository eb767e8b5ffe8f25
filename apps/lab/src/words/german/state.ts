import type { Catalogue } from '../catalogue.ts';

/** German of links, keys and the run as text. */
export const state: Catalogue = {
  '{0} points chosen.': '{0} Punkte gewählt.',
  'There are {0} points, the most that can be drawn. Erase some first.':
    'Es gibt {0} Punkte, mehr lassen sich nicht zeichnen. Bitte zuerst einige löschen.',
  'Point removed.': 'Punkt entfernt.',
  '{0} points removed.': '{0} Punkte entfernt.',
  'Now {0}.': 'Jetzt {0}.',
  'Example {0}: {1}, at {2}.': 'Beispiel {0}: {1}, bei {2}.',
  Space: 'Leertaste',
  'play, pause': 'Abspielen, Pause',
  'one example': 'ein Beispiel',
  'one update; on the timeline also ↑ ↓': 'eine Aktualisierung; auf der Zeitleiste auch ↑ ↓',
  'one pass': 'ein Durchlauf',
  'start, end of the run': 'Anfang, Ende des Laufs',
  'previous, next section of the tour that is open': 'voriger, nächster Abschnitt der offenen Tour',
  'Ctrl Z': 'Strg Z',
  'Ctrl Shift Z': 'Strg Umschalt Z',
  'undo, redo': 'rückgängig, wiederholen',
  'in the plane: the example before, after': 'in der Ebene: voriges, nächstes Beispiel',
  'in the plane: move the crosshair, add a positive, a negative point there':
    'in der Ebene: das Fadenkreuz bewegen, dort einen positiven, einen negativen Punkt setzen',
  Delete: 'Entf',
  'in the plane: move, remove what is chosen': 'in der Ebene: Gewähltes bewegen, entfernen',
  'in the plane: add, paint, erase, choose with a loop':
    'in der Ebene: setzen, malen, löschen, mit einer Schlinge wählen',
  'in the plane: zoom in, zoom out, show all': 'in der Ebene: vergrößern, verkleinern, alles zeigen',
  'present: plane and view fill the screen; again, or Escape: leave':
    'vorführen: Ebene und Ansicht füllen den Bildschirm; noch einmal oder Escape: verlassen',
  'presenting a tour: next, previous slide; also arrow keys, Space':
    'beim Vorführen einer Tour: nächste, vorige Folie; auch Pfeiltasten, Leertaste',
  'presenting: both figures, the plane, the first, the second view':
    'beim Vorführen: beide Bilder, die Ebene, die erste, die zweite Ansicht',
  'presenting: show results, dark screen, play': 'beim Vorführen: Ergebnisse zeigen, dunkler Bildschirm, abspielen',
  'this help': 'diese Hilfe',
  'The data are a file, which is too large for a link.': 'Die Daten sind eine Datei, die für einen Link zu groß ist.',
  'This link was cut or changed on its way. Ask for it again; nothing here has changed.':
    'Dieser Link wurde unterwegs gekürzt oder verändert. Bitte noch einmal schicken lassen; hier hat sich nichts geändert.',
  'This link is of another version of the lab ({0}). Nothing here has changed.':
    'Dieser Link stammt aus einer anderen Fassung des Labs ({0}). Hier hat sich nichts geändert.',
  'the whole run in a second': 'der ganze Lauf in einer Sekunde',
  'The lab opens data only from its own address; got {0}. Download the file, and open it here.':
    'Das Lab öffnet Daten nur von seiner eigenen Adresse; hier war es {0}. Die Datei bitte herunterladen und hier öffnen.',
  'The data of {0} could not be read. Is the command that opened this page still running? Each run prints a new address.':
    'Die Daten von {0} konnten nicht gelesen werden. Läuft der Befehl noch, der diese Seite geöffnet hat? Jeder Aufruf gibt eine neue Adresse aus.',
  'no steps: grown at once': 'keine Schritte: auf einmal gewachsen',
  'start, before the first example': 'Anfang, vor dem ersten Beispiel',
  'end: pass {0}, {1} examples on, update {2}': 'Ende: Durchlauf {0}, {1} Beispiele weiter, Aktualisierung {2}',
  'pass {0}, example {1} of {2}, {3}': 'Durchlauf {0}, Beispiel {1} von {2}, {3}',
  'no update yet': 'noch keine Aktualisierung',
  'update {0}': 'Aktualisierung {0}',
  'There is no tour called “{0}”. Choose one from the list.':
    'Es gibt keine Tour „{0}“. Bitte eine aus der Liste wählen.',
  'This scene cannot be shown: {0}': 'Diese Szene lässt sich nicht zeigen: {0}',
  'The answer in “{0}” could not be computed.': 'Die Antwort in „{0}“ konnte nicht berechnet werden.',
  'Positive point added at {0}.': 'Positiver Punkt gesetzt bei {0}.',
  'Negative point added at {0}.': 'Negativer Punkt gesetzt bei {0}.',
  '{0} a second': '{0} je Sekunde',
};
