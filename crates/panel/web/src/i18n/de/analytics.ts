import type en from '../en/analytics';
import type { Translation } from '../keys';

export default {
  title: 'Statistik',
  description:
    'Anzahl der Nachrichten, Kontakte, Läufe und Zustellungen in einer Zeitzone, die Sie auswählen.',
  spans: {
    P365D: 'letztes Jahr',
  },
  interval: 'Intervall',
  intervals: { hour: 'Stunde', day: 'Tag', week: 'Woche' },
  totals: {
    contacts: 'Kontakte insgesamt',
    received: 'Empfangene Nachrichten',
    sent: 'Gesendete Nachrichten',
    runsStarted: 'Gestartete Läufe',
    open: 'Jetzt offen',
    pending: 'Jetzt automatisiert',
    snoozed: 'Jetzt zurückgestellt',
  },
  showTable: 'Als Tabelle anzeigen',
  showTableOf: 'Als Tabelle anzeigen: {{name}}',
  hideTable: 'Tabelle ausblenden',
  hideTableOf: 'Tabelle ausblenden: {{name}}',
  tableOf: '{{name}}: Tabelle',
  at: 'Ab',
  nothing: 'Keine Daten in diesem Zeitraum.',
  objects: {
    flows: 'Läufe',
    webhooks: 'Webhook-Zustellungen',
  },
  statuses: {
    created: 'erstellt',
    deleted: 'gelöscht',
    restored: 'wiederhergestellt',
    started: 'gestartet',
    enrolled: 'aufgenommen',
    exited: 'vorzeitig verlassen',
  },
  byChannel: 'Nachrichten nach Kanal',
  deletedChannel: 'gelöschter Kanal',
  notSent: 'Nicht gesendete Nachrichten',
  byFlow: 'Läufe nach Ablauf',
  bySequence: 'Aufnahmen nach Sequenz',
  byBroadcast: 'Nachrichten nach Rundnachricht',
  broadcast: 'Rundnachricht',
  most: 'Diese Tabelle zeigt die 100 Zeilen mit den höchsten Werten.',
  save: 'Als CSV speichern',
} satisfies Translation<typeof en>;
