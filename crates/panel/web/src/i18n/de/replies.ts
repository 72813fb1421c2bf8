import type en from '../en/replies';
import type { Translation } from '../keys';

export default {
  title: 'Gespeicherte Antworten',
  description:
    'Texte, die Mitglieder in Nachrichten einfügen. Sie sind Vorlagen, die für jeden Kontakt ausgefüllt werden.',
  create: 'Gespeicherte Antwort erstellen',
  emptyText:
    'Speichern Sie einen Text, den Sie oft senden. Der Posteingang bietet ihn allen Mitgliedern an, ausgefüllt für den Kontakt.',
  filter: 'Nach Namen oder Text filtern',
  nameHint: 'Mitglieder finden die gespeicherte Antwort unter diesem Namen.',
  textHint: 'Eine Vorlage: {{example}} wird zum Namen des Kontakts.',
  previewHint: 'Der Text, den ein unbekannter Kontakt erhalten würde.',
  previewFor: 'Vorschau für',
  previewForHint: 'Die ID eines Kontakts, email:…, phone:… oder external_id:…',
  deleteHint:
    'Nachrichten, die mit ihr gesendet wurden, bleiben erhalten. Sie können dies nicht rückgängig machen.',
  remove: 'Gespeicherte Antwort löschen',
} satisfies Translation<typeof en>;
