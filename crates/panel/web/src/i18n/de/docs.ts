import type en from '../en/docs';
import type { Translation } from '../keys';

export default {
  title: 'API-Dokumentation',
  description: 'Alle Operationen zum Lesen und Ausprobieren. Anfragen von dieser Seite gehen an die Sandbox.',
  keyReady:
    'Ein Testschlüssel für die Sandbox ist eingetragen. Er gilt nur für diese Seite und läuft in 24 Stunden ab.',
  theKey: 'der Testschlüssel',
  keyFailed:
    'Für diese Seite konnte kein Testschlüssel erstellt werden. Sie können alles lesen und unter „Authentifizierung“ einen Schlüssel einfügen.',
  noSandbox:
    'Anfragen benötigen einen Schlüssel. Mit einer Sandbox trägt diese Seite einen Testschlüssel ein, und Ihre Anfragen erreichen keinen echten Kontakt.',
  noKey:
    'Fügen Sie unter „Authentifizierung“ einen Schlüssel ein, um Anfragen zu senden. Admins dieses Workspace erstellen Schlüssel.',
  reference: 'API-Referenz',
  failed: 'Die Referenz konnte nicht geladen werden.',
} satisfies Translation<typeof en>;
