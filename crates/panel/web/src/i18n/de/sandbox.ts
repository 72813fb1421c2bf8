import type en from '../en/sandbox';
import type { Translation } from '../keys';

export default {
  play: 'Eingehende Nachricht simulieren',
  description: 'Die Sandbox von {{name}}. Keine Nachricht erreicht einen echten Kontakt.',
  forAdmins: 'Nur Admins können die Sandbox nutzen',
  forAdminsHint:
    'Bitten Sie einen Admin oder Inhaber dieses Workspace, sie zu erstellen oder eine Nachricht zu simulieren.',
  createTitle: 'Alles testen, ohne an echte Kontakte zu senden',
  createText: 'Eine Sandbox ist ein zweiter Workspace neben {{name}} mit denselben Mitgliedern.',
  facts: {
    data: {
      title: 'Getrennte Daten',
      text: 'Kontakte, Abläufe, Webhooks und Nachrichten der Sandbox sind von den Live-Daten getrennt.',
    },
    keys: {
      title: 'Getrennte Schlüssel',
      text: 'Sie beginnen mit tdg_test_ und geben nur Zugang zur Sandbox.',
    },
    capture: {
      title: 'Kein Versand',
      text: 'Der Server fängt Nachrichten ab und zeigt sie auf dieser Seite.',
    },
    events: {
      title: 'Markierte Ereignisse',
      text: 'Ereignisse und Webhooks enthalten "test": true, damit Ihr Code sie erkennt.',
    },
    limit: {
      title: 'Getrennte Grenze',
      text: 'Alle Schlüssel der Sandbox zusammen können in jedem Tarif 600 Anfragen pro Minute senden.',
    },
  },
  contactHint: 'Die ID oder externe ID eines Kontakts. Eine unbekannte externe ID erstellt einen Kontakt.',
  textPlaceholder: 'Als {{contact}} schreiben …',
  textPlaceholderUnnamed: 'Als Kontakt schreiben …',
  chatEmpty: 'Schreiben Sie eine Nachricht als Kontakt. Hier erscheinen die Antworten Ihrer Abläufe.',
  chatUnnamed: 'Geben Sie oben einen Kontakt ein, und schreiben Sie dann als dieser Kontakt.',
  sending: 'wird gesendet',
  earlier: 'Die letzten {{count}} Nachrichten. Öffnen Sie die Unterhaltung, um alle Nachrichten zu sehen.',
  openConversation: 'Unterhaltung öffnen',
  noConversation: 'keine, bis der Kontakt antwortet',

  clock: {
    label: 'Uhr der Sandbox',
    hint: 'Die Sandbox hat eine eigene Uhr.',
    present: 'wie die echte Zeit',
    ahead: 'geht {{lead}} vor',
    moving: 'Fällige Arbeit wird erledigt …',
    moved_zero: 'Fertig. Es war keine Arbeit fällig.',
    moved_one: 'Fertig. Einmal war Arbeit fällig.',
    moved_other: 'Fertig. {{count}}-mal war Arbeit fällig.',
    steps: { PT1H: '1 Stunde', P1D: '1 Tag', P7D: '1 Woche' },
    advance: { PT1H: 'Um 1 Stunde vorstellen', P1D: 'Um 1 Tag vorstellen', P7D: 'Um 1 Woche vorstellen' },
    reset: 'Zurücksetzen',
    resetTitle: 'Sandbox zurücksetzen?',
    resetVerb: 'Sandbox zurücksetzen',
    resetHint:
      'Kontakte, Unterhaltungen, Abläufe, Sequenzen, Rundnachrichten, Webhooks und Ereignisse der Sandbox werden endgültig gelöscht. Die Uhr der Sandbox zeigt wieder die echte Zeit. Kanäle und Schlüssel bleiben.',
  },

  outbox: 'Postausgang',
  outboxHint: 'Abgefangene Nachrichten, neueste zuerst.',
  outboxEmptyHint:
    'Hier erscheinen Nachrichten, die Abläufe, Sequenzen, Rundnachrichten und die API in der Sandbox senden. Sie werden nicht versendet.',
  noChannel: 'Diese Sandbox hat keinen Sandbox-Kanal',
  noChannelHint:
    'Der Sandbox-Kanal wurde gelöscht. Erstellen Sie einen, um dessen Nachrichten hier zu sehen.',
  to: 'An',
  sender: 'Gesendet von',
  history: 'Statusverlauf',
  theJson: 'die Nachricht',
  gone: 'Diese Nachricht ist nicht unter den letzten 50 abgefangenen Nachrichten.',

  keys: 'Testschlüssel',
  keysHint:
    'Sie geben nur Zugang zur Sandbox. Sie können Testschlüssel in Tests und auf jedem Computer nutzen.',
  createKey: 'Testschlüssel erstellen',
  keysEmpty: 'Noch keine Testschlüssel',
  keysEmptyHint: 'Programme nutzen die Sandbox mit einem Schlüssel, der mit tdg_test_ beginnt.',
  revokeNamed: '{{name}} widerrufen',
  revokeHint:
    'Der Server weist Anfragen mit diesem Schlüssel innerhalb von fünf Sekunden ab. Sie können dies nicht rückgängig machen.',
} satisfies Translation<typeof en>;
