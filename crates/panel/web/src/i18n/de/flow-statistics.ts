import type en from '../en/flow-statistics';
import type { Translation } from '../keys';

export default {
  period: 'Zeitraum',
  ever: 'gesamte Zeit',
  every: 'alle',
  asOf: 'Aktualisiert {{time}}',
  canvas: 'Läufe in Version {{version}}',
  table: 'Knoten und ihre Läufe',
  entered: 'Angekommen',
  left: 'Ausgänge',
  failed: 'Fehlgeschlagen',
  waiting: 'Jetzt',
  median: 'Mittlere Dauer (Median)',
  otherVersion: 'Knoten einer anderen Version',
  others_one:
    '{{count}} Knoten ist nicht in dieser Version. Wählen Sie eine andere Version, um ihn auf der Zeichenfläche zu sehen.',
  others_other:
    '{{count}} Knoten sind nicht in dieser Version. Wählen Sie eine andere Version, um sie auf der Zeichenfläche zu sehen.',
  card: {
    entered: '{{runs}} angekommen',
    failed: '{{runs}} fehlgeschlagen',
    median: 'Median {{time}}',
    never: 'keine Läufe',
    now: '{{runs}} jetzt',
    showRuns: '{{runs}} jetzt an „{{node}}“: Läufe anzeigen',
  },
  spans: { d: '{{number}} T.', h: '{{number}} Std.', min: '{{number}} Min.', s: '{{number}} s' },
  emptyTitle: 'Keine Läufe an einem Knoten',
  emptyText:
    'Sobald Läufe durch den Ablauf gehen, sehen Sie hier für jeden Knoten, wie viele ankamen und wie sie weitergingen.',
  emptyFiltered: 'Wählen Sie einen längeren Zeitraum oder eine andere Version, oder starten Sie einen Lauf.',
  unpublishedText: 'Veröffentlichen Sie den Ablauf, um Läufe zu starten und ihre Statistik zu sehen.',
} satisfies Translation<typeof en>;
