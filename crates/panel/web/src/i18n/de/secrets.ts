import type en from '../en/secrets';
import type { Translation } from '../keys';

export default {
  title: 'Geheimnisse',
  description:
    'Vertrauliche Werte für die HTTP-Anfragen von Abläufen. Vorlagen verwenden sie mit ihrem Namen, und sie werden nur an ihre Hosts gesendet.',
  descriptionReadOnly:
    'Vertrauliche Werte für die HTTP-Anfragen von Abläufen. Vorlagen verwenden sie mit ihrem Namen, und sie werden nur an ihre Hosts gesendet. Admins und Inhaber können Geheimnisse hinzufügen, ersetzen und löschen.',
  create: 'Geheimnis hinzufügen',
  emptyTitle: 'Noch keine Geheimnisse',
  emptyText:
    'Eine HTTP-Anfrage eines Ablaufs verwendet ein Geheimnis als {{example}} in Adresse, Headern oder Body.',
  nameHint: 'Ein Großbuchstabe, danach Großbuchstaben, Ziffern und _.',
  valueHint: 'Wird verschlüsselt gespeichert. Keine Seite und keine Antwort der API zeigt ihn wieder.',
  newValueHint:
    'Der aktuelle Wert wird nicht angezeigt. Geben Sie ihn erneut ein, oder geben Sie einen neuen Wert ein.',
  hosts: 'Hosts',
  hostsHint: 'Das Geheimnis wird nur an genau diese Hostnamen gesendet. Einer pro Zeile.',
  updated: 'Zuletzt ersetzt',
  used: 'In Vorlagen',
  replaceTitle: '{{name}} ersetzen',
  replaceVerb: 'Geheimnis ersetzen',
  conflict:
    'Ein anderer Benutzer hat dieses Geheimnis ersetzt. Prüfen Sie die Hosts, und speichern Sie erneut.',
  deleteHint:
    'HTTP-Anfragen, die dieses Geheimnis verwenden, schlagen danach fehl. Sie können dies nicht rückgängig machen.',
  deleteVerb: 'Geheimnis löschen',
  gone: 'Kein Geheimnis hat diesen Namen. Das Geheimnis wurde gelöscht, oder die Adresse gehört zu einem anderen Workspace.',
} satisfies Translation<typeof en>;
