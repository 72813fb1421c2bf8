import type en from '../en/storage';
import type { Translation } from '../keys';

export default {
  title: 'Tarif und Speicher',
  description: 'Die Grenzen Ihres Tarifs, wie viel davon Sie nutzen, und wie viel Text gespeichert ist.',
  sandbox: 'Sandbox',
  limit: 'Anfragen pro Minute, alle Schlüssel zusammen',
  stored: 'Gespeichert',
  storedSize: 'Gespeichert: {{size}}',
  measured: 'Nur Text zählt, ohne den zusätzlichen Platz der Datenbank. Gemessen: {{time}}.',
  notYet:
    'Nur Text zählt, ohne den zusätzlichen Platz der Datenbank. Die Größe wird alle fünf Minuten gemessen. Vor der ersten Messung enthält sie nur Text, der seit dem Start des Servers gespeichert wurde.',
  noLimit: 'Ihr Tarif hat keine Grenze für gespeicherten Text.',
  ofLimit: 'Sie nutzen {{share}} der {{limit}}, die Ihr Tarif erlaubt.',
  levels: { near_limit: 'fast voll', full: 'voll' },
  atLimit:
    'Wenn der Speicher voll ist, schlagen Anfragen, die Objekte erstellen oder vergrößern, mit 409 fehl. Löschen Sie, was Sie nicht benötigen, oder bitten Sie einen Betreiber um einen größeren Tarif.',
  kind: 'Daten',
  contents: 'Enthält',
  percent: 'Prozent',
  size: 'Größe',
  objects: {
    events: 'Ereignisse',
    deliveries: 'Webhook-Zustellungen',
    idempotency: 'API-Antworten',
  },
  contentsOf: {
    contacts: 'Attribute, benutzerdefinierte Felder und eigene Ereignisse, auch von gelöschten Kontakten',
    messages: 'Statusverlauf',
    events: 'Ereignisse, wie die API und Webhooks sie senden',
    deliveries: 'Versuche',
    flows: 'Versionen und Läufe',
    idempotency: 'Antworten auf Anfragen mit einem Idempotenzschlüssel, 24 Stunden lang',
  },
} satisfies Translation<typeof en>;
