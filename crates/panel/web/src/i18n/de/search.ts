import type en from '../en/search';
import type { Translation } from '../keys';

export default {
  title: 'Seite, Namen oder ID suchen',
  placeholder: 'Seite, Namen oder ID suchen …',
  results: 'Ergebnisse',
  empty: 'Keine Ergebnisse. Eine ID wie contact_… oder req_… öffnet ihr Objekt.',
  searching: 'Suche läuft …',
  failed: '{{group}} können nicht durchsucht werden: {{reason}}',
  objects: {
    ids: 'ID',
    pages: 'Seiten',
    actions: 'Aktionen',
    workspaces: 'Workspaces',
    segments: 'Segmente',
  },
  openId: '{{id}} öffnen',
  findInLog: '{{id}} im Nutzungsprotokoll suchen',
  switchTo: 'Zu {{workspace}} wechseln',
  switchToDeleted: 'Zu {{workspace}} wechseln (gelöscht)',
} satisfies Translation<typeof en>;
