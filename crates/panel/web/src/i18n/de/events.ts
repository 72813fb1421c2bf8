import type en from '../en/events';
import type { Translation } from '../keys';

export default {
  title: 'Ereignisse',
  description:
    'Alles, was in diesem Workspace passiert ist, das Neueste zuerst. Webhooks senden dieselben Ereignisse. Ereignisse werden 30 Tage gespeichert.',
  emptyTitle: 'Noch keine Ereignisse',
  emptyText:
    'Jede Änderung ist ein Ereignis: Erstellen Sie einen Kontakt, oder simulieren Sie eine Nachricht in der Sandbox.',
  noneOfType: 'Keine Ereignisse der Art {{type}}',
  noneOfTypeHint: 'In den letzten 30 Tagen gab es kein Ereignis dieser Art.',
  clear: 'Filter zurücksetzen',
  senders: {
    user: 'Mitglied',
    contact: 'Kontakt',
    flow: 'Ablauf',
    sequence: 'Sequenz',
    schedule: 'Zeitplan',
    broadcast: 'Rundnachricht',
    system: 'der Dienst',
  },
  position: 'Position',
  envelope: 'Umschlag',
  theEnvelope: 'der Umschlag',
  test: 'Test',
  gone: 'Dieses Ereignis ist nicht geladen. Zeigen Sie mehr Ereignisse an, oder setzen Sie den Filter zurück.',
} satisfies Translation<typeof en>;
