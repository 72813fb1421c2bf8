import type en from '../en/shell';
import type { Translation } from '../keys';

export default {
  skip: 'Zum Inhalt springen',
  navigation: 'Seiten',
  openRail: 'Seiten anzeigen',
  narrowRail: 'Nur Symbole anzeigen',
  wideRail: 'Seitennamen anzeigen',
  liveOrSandbox: 'Live-Daten oder Sandbox',
  toLive: 'Zu den Live-Daten',
  toSandbox: 'Zur Sandbox',

  workspaces: 'Workspaces',
  workspaceButton: '{{workspace}}: Workspace auswählen',
  deletedUntil: 'gelöscht, wiederherstellbar bis {{until}}',

  search: 'Suchen …',
  searchKeys: 'Strg K',

  accountButton: '{{initials}}: Ihr Konto',
  profile: 'Profil und Sitzungen',
  colorScheme: 'Farbschema',
  colorSchemes: { light: 'Hell', dark: 'Dunkel', auto: 'Wie das System' },
  signOut: 'Abmelden',

  noWorkspace: 'Sie sind noch kein Mitglied eines Workspace',
  noWorkspaceHint:
    'Bitten Sie einen Admin Ihres Workspace um eine Einladung. Laden Sie danach diese Seite neu.',
  paused:
    'Der Versand dieses Workspace ist pausiert. Nachrichten und Webhook-Zustellungen warten. {{settings}}',
  workspaceSettings: 'Workspace-Einstellungen',
} satisfies Translation<typeof en>;
