import type en from '../en/reply-times';
import type { Translation } from '../keys';

export default {
  title: 'Antwortzeiten',
  description:
    'Zeit, bis ein Mitglied einem Kontakt antwortet, und bis ein Mitglied die Unterhaltung als erledigt markiert.',
  ownDays: 'eigener Zeitraum',
  faults: {
    incomplete: 'Geben Sie beide Tage an.',
    reversed: 'Der erste Tag darf nicht nach dem letzten liegen.',
    tooLong: 'Wählen Sie höchstens {{count}} Tage aus.',
  },
  columns: {
    first_reply: {
      count: 'Erste Antworten',
      median: 'Erste Antwort, Median',
      p90: 'Erste Antwort, 90. Perzentil',
    },
    resolution: {
      count: 'Erledigt',
      median: 'Zeit bis erledigt, Median',
      p90: 'Zeit bis erledigt, 90. Perzentil',
    },
  },
  explanation:
    'Die Zeit beginnt, wenn der Kontakt schreibt oder ein Ablauf die Unterhaltung übergibt. Was Abläufe und API-Schlüssel beantworten oder erledigen, zählt nicht. Die Zeiten sind auf 10 % genau.',
  byAgent: 'Nach Mitglied',
  agent: 'Mitglied',
  formerMember: 'ehemaliges Mitglied {{id}}',
  byChannel: 'Nach Kanal',
  openInbox: 'Posteingang öffnen',
  emptyTitle: 'Keine Antwortzeiten in diesem Zeitraum',
  emptyText:
    'Antwortzeiten erscheinen, wenn Mitglieder im Posteingang Kontakten antworten oder Unterhaltungen als erledigt markieren. Antworten von Abläufen und API-Schlüsseln zählen nicht.',
} satisfies Translation<typeof en>;
