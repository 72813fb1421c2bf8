/** The frame of all pages: the bar, the rail, the search and the menus. */
export default {
  skip: 'Skip to the content',
  navigation: 'Pages',
  openRail: 'Show pages',
  narrowRail: 'Show icons only',
  wideRail: 'Show page names',
  liveOrSandbox: 'Live data or sandbox',
  toLive: 'Go to live data',
  toSandbox: 'Go to the sandbox',

  workspaces: 'Workspaces',
  workspaceButton: '{{workspace}}: Choose a workspace',
  deletedUntil: 'deleted, restore until {{until}}',

  search: 'Search …',
  searchKeys: 'Ctrl K',

  accountButton: '{{initials}}: Your account',
  profile: 'Profile and sessions',
  colorScheme: 'Colour scheme',
  colorSchemes: { light: 'Light', dark: 'Dark', auto: 'Same as the system' },
  signOut: 'Sign out',

  noWorkspace: 'You are not a member of a workspace yet',
  noWorkspaceHint:
    'Ask an admin of your workspace for an invitation. Reload this page when you are a member.',
  paused: 'Sending is paused for this workspace. Messages and webhook deliveries wait. {{settings}}',
  workspaceSettings: 'Workspace settings',
} as const;
