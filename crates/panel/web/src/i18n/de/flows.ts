import type en from '../en/flows';
import type { Translation } from '../keys';

export default {
  title: 'Abläufe',
  description: 'Ein Ablauf sendet Nachrichten und ändert Kontakte automatisch, Schritt für Schritt.',
  create: 'Ablauf erstellen',
  draft: 'Entwurf',
  noChanges: 'keine Änderungen',
  none: 'noch keine',
  changes: 'unveröffentlichte Änderungen',
  statusAtVersion: '{{status}}, Version {{version}}',
  count_one: '{{count}} Ablauf',
  count_other: '{{count}} Abläufe',
  emptyTitle: 'Noch keine Abläufe',
  emptyText:
    'Ein Ablauf kann Kontakte begrüßen, Fragen stellen, entscheiden und warten. Beginnen Sie mit einer Vorlage oder einem leeren Ablauf.',
  noMatch: 'Kein Ablauf passt zu den Filtern',
  noMatchHint: 'Setzen Sie die Filter zurück, um alle Abläufe zu sehen.',
  startFrom: 'Beginnen mit',
  empty: {
    name: 'Leerer Ablauf',
    hint: 'Der Ablauf hat nur ein Ende. Die anderen Schritte fügen Sie hinzu.',
  },
  templates: {
    welcome: { name: 'Begrüßung', hint: 'Begrüßt einen neuen Kontakt und fragt nach der E-Mail-Adresse.' },
    'opt-in': {
      name: 'Newsletter per Stichwort',
      hint: 'Bittet um eine Bestätigung und fügt dann das Tag newsletter hinzu.',
    },
    support: {
      name: 'Übergabe an Mitglieder',
      hint: 'Fragt nach dem Thema, fügt eine Notiz hinzu und übergibt.',
    },
    nurture: { name: 'Eine Woche mit uns', hint: 'Sendet tagsüber drei Nachrichten innerhalb einer Woche.' },
    vip: {
      name: 'Gold-Kunden sind VIPs',
      hint: 'Fügt das Tag vip hinzu oder entfernt es, wenn sich ein Feld ändert.',
    },
  },
  needs:
    'Die Vorlage verwendet Tags oder Felder. Wenn sie in diesem Workspace fehlen, stehen sie in den Befunden.',
  createHint: 'Ein neuer Ablauf ist ein Entwurf. Er startet, wenn Sie ihn veröffentlichen.',
  renameTo: 'Name des Ablaufs',
  more: 'Mehr',
  remove: 'Löschen',
  pauseHint_zero: 'Es starten keine neuen Läufe, bis Sie den Ablauf fortsetzen.',
  pauseHint_one:
    'Es starten keine neuen Läufe, und {{count}} Lauf hält an seinem Knoten an. Zeit und Antworten bewegen ihn nicht, bis Sie den Ablauf fortsetzen.',
  pauseHint_other:
    'Es starten keine neuen Läufe, und {{count}} Läufe halten an ihren Knoten an. Zeit und Antworten bewegen sie nicht, bis Sie den Ablauf fortsetzen.',
  pauseVerb: 'Ablauf pausieren',
  removeHint_zero: 'Der Ablauf hat keine aktiven Läufe. Das Löschen kann nicht rückgängig gemacht werden.',
  removeHint_one:
    '{{count}} Lauf ist noch nicht beendet und wird unterbrochen. Das kann nicht rückgängig gemacht werden.',
  removeHint_other:
    '{{count}} Läufe sind noch nicht beendet und werden unterbrochen. Das kann nicht rückgängig gemacht werden.',
  removeVerb: 'Ablauf löschen',
  inUse: 'Diese Objekte verweisen auf den Ablauf. Ohne ihn gehen die Verweise verloren:',
  gone: 'Ablauf nicht gefunden',
  goneHint: 'Er wurde gelöscht, oder die Adresse gehört zu einem anderen Workspace.',
  toList: 'Zu den Abläufen',
  lost: 'Dieser Ablauf verweist auf gelöschte Objekte:',
  tabs: {
    build: 'Bearbeiten',
    simulate: 'Simulieren',
    json: 'JSON',
    runs: 'Läufe',
    statistics: 'Statistik',
    versions: 'Versionen',
  },
  openEditor: 'Editor öffnen',
  startForContact: 'Kontakt zum Starten auswählen',
  parts: 'Teile des Ablaufs',
  conflict:
    'Ein anderer Benutzer hat diesen Ablauf geändert. Ihre Änderung wurde nicht gespeichert. Sie sehen jetzt die gespeicherte Version.',

  definition: 'Definition',
  noObject: 'Die Definition muss ein JSON-Objekt sein.',
  notJson: 'Der Text ist kein gültiges JSON: {{reason}}',
  unsaved: 'Noch nicht gespeichert',
  saveDraft: 'Entwurf speichern',
  conflictDraft: 'Ein anderer Benutzer hat diesen Entwurf gespeichert.',
  findings: 'Befunde',
  findingsBroken: 'Korrigieren Sie das JSON, um die Befunde zu sehen.',
  noFindings: 'Bereit zum Veröffentlichen',
  errors_one: '{{count}} Fehler',
  errors_other: '{{count}} Fehler',
  warnings_one: '{{count}} Warnung',
  warnings_other: '{{count}} Warnungen',
  warning: 'Warnung',
  wholeFlow: 'Der ganze Ablauf',
  didYouMean: 'Meinten Sie {{names}}?',

  publish: 'Veröffentlichen',
  publishVersion: 'Version {{version}} veröffentlichen',
  publishTitle: 'Version {{version}} veröffentlichen?',
  publishHint:
    'Neue Läufe verwenden diese Version. Sie können eine frühere Version als Entwurf wiederherstellen.',
  publishRuns_one: '{{count}} Lauf ist noch nicht beendet, mit Version {{version}} oder einer früheren.',
  publishRuns_other: '{{count}} Läufe sind noch nicht beendet, mit Version {{version}} oder einer früheren.',
  running: {
    pin: { name: 'Mit ihrer Version beenden', hint: 'Jeder Lauf bleibt bei der Version, mit der er begann.' },
    migrate: {
      name: 'Mit der neuen Version fortsetzen',
      hint: 'Ein Lauf geht an seinem Knoten weiter, wenn die neue Version diesen Knoten hat.',
    },
    cancel: { name: 'Abbrechen', hint: 'Jeder Lauf wird an seinem Knoten unterbrochen.' },
  },
  runningLabel: 'Laufende Läufe',
  publishRefused: 'Fehler, die das Veröffentlichen verhindern',
  publishUnsaved:
    'Ihre Änderungen unter JSON sind nicht gespeichert. Speichern Sie sie, bevor Sie veröffentlichen.',
} satisfies Translation<typeof en>;
