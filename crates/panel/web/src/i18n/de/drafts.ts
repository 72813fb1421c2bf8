import type en from '../en/drafts';
import type { Translation } from '../keys';

export default {
  unsaved: 'Ungespeicherte Änderungen: {{fields}}',
  leaveTitle: 'Verlassen, ohne zu speichern?',
  leaveHint: 'Ihre Änderungen auf dieser Seite sind nicht gespeichert. Beim Verlassen gehen sie verloren.',
  leaveUploadHint:
    'Eine Datei wird noch hochgeladen. Wenn Sie diese Seite verlassen, wird das Hochladen abgebrochen.',
  leave: 'Verlassen',
  stay: 'Hier bleiben',
  conflictTitle: 'Ein anderer Benutzer hat dies geändert',
  conflictHint:
    'Ihre Änderungen sind nicht gespeichert. Übernehmen Sie den gespeicherten Stand, oder ersetzen Sie ihn durch Ihre Änderungen.',
  conflictSame: 'Der andere Benutzer hat nur Werte geändert, die Sie bereits sehen.',
  conflictWas: 'Vorher',
  conflictTheirs: 'Anderer Benutzer',
  conflictMine: 'Sie',
  unchanged: 'nicht geändert',
  takeTheirs: 'Gespeicherten Stand übernehmen',
  saveMine: 'Meine Änderungen speichern',
} satisfies Translation<typeof en>;
