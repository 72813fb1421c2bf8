import type en from '../en/replies';
import type { Translation } from '../keys';

export default {
  title: 'Gespeicherte Antworten',
  description:
    'Texte, die Mitglieder in Nachrichten einfügen. Sie sind Vorlagen, die für jeden Kontakt ausgefüllt werden.',
  create: 'Gespeicherte Antwort erstellen',
  emptyTitle: 'Noch keine gespeicherten Antworten',
  emptyText:
    'Speichern Sie einen Text, den Sie oft senden. Der Posteingang bietet ihn allen Mitgliedern an, ausgefüllt für den Kontakt.',
  name: 'Name',
  nameHint: 'Mitglieder finden die gespeicherte Antwort unter diesem Namen.',
  taken: 'Eine andere gespeicherte Antwort hat diesen Namen.',
  text: 'Text',
  textHint: 'Eine Vorlage: {{example}} wird zum Namen des Kontakts.',
  preview: 'Vorschau',
  previewHint: 'Der Text, den ein unbekannter Kontakt erhalten würde.',
  unknownName_one: 'Unbekannte Variable {{names}}: Sie ergibt leeren Text.',
  unknownName_other: 'Unbekannte Variablen {{names}}: Sie ergeben leeren Text.',
  previewFor: 'Vorschau für',
  previewForHint: 'Die ID eines Kontakts, email:…, phone:… oder external_id:…',
  updated: 'Zuletzt geändert',
  edit: 'Gespeicherte Antwort',
  delete: 'Löschen',
  deleteTitle: '{{name}} löschen?',
  deleteHint:
    'Nachrichten, die mit ihr gesendet wurden, bleiben erhalten. Sie können dies nicht rückgängig machen.',
  deleteVerb: 'Gespeicherte Antwort löschen',
  gone: 'Keine gespeicherte Antwort hat diese ID. Die gespeicherte Antwort wurde gelöscht, oder die Adresse gehört zu einem anderen Workspace.',
} satisfies Translation<typeof en>;
