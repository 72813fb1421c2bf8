/** The search dialog: pages, actions, workspaces and objects by name or ID. */
export default {
  title: 'Find a page, a name or an ID',
  placeholder: 'Find a page, a name or an ID …',
  results: 'Results',
  empty: 'No results. An ID such as contact_… or req_… opens its object.',
  searching: 'Searching …',
  failed: '{{group}} cannot be searched: {{reason}}',
  objects: {
    ids: 'ID',
    pages: 'Pages',
    actions: 'Actions',
    workspaces: 'Workspaces',
    segments: 'Segments',
  },
  openId: 'Open {{id}}',
  findInLog: 'Find {{id}} in the usage log',
  switchTo: 'Switch to {{workspace}}',
  switchToDeleted: 'Switch to {{workspace}} (deleted)',
} as const;
