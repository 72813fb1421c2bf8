export const keys = {
  title: 'API keys',
  forAdmins: 'Keys are kept by admins',
  forAdminsHint: 'Ask an admin or an owner of this workspace to make a key for you.',
  description: (limit: number | undefined, plan: string) =>
    `A key opens this workspace and does what its scope allows. ${
      limit ? `All keys together may make ${limit.toLocaleString('en')} requests a minute (${plan}).` : ''
    }`,
  create: 'Create key',
  name: 'Name',
  nameHint: 'Where it is used, so that you know whom to ask before you revoke it.',
  namePlaceholder: 'billing service',
  scope: 'Scope',
  scopes: {
    read: { methods: 'GET', says: 'Sees everything but webhooks' },
    write: { methods: 'GET POST PUT PATCH', says: 'Also creates and changes' },
    full: { methods: 'everything', says: 'Also deletes, and manages webhooks' },
  },
  expires: 'Expires',
  lives: { P30D: '30 days', P90D: '90 days', P365D: '1 year', never: 'Never' },
  key: 'Key',
  lastUsed: 'Last used',
  from: 'From',
  requests: 'Requests, 24 h',
  requestsHint: (count: number) => `${count.toLocaleString('en')} requests of this key: show them in the log`,
  state: 'State',
  active: 'active',
  endsSoon: 'ends soon',
  expired: 'expired',
  unused: 'not used yet',
  createdAt: 'Created',
  id: 'Id',
  made: 'Your new key',
  madeOnce: 'This is the only time that it is shown. Keep it where your secrets are.',
  madeTry: 'Try it:',
  done: 'Done',
  theKey: 'the key',
  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateHint:
    'You get a new key of the same name and scope. The old one goes on for a while, so that nothing breaks meanwhile.',
  overlap: 'The old key works',
  overlaps: { PT0S: 'No longer', PT1H: '1 hour', P1D: '1 day', P7D: '7 days' },
  overlapEnds: (when: string) => `Both keys work until ${when}. Then the old one is refused.`,
  overlapNow: 'The old key is refused within five seconds.',
  rotateVerb: 'Make the new key',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeReach: 'Requests with it are refused within five seconds, on every instance. This cannot be undone.',
  revokeUse: (count: number) =>
    count === 0
      ? 'It made no request in the last 24 hours.'
      : `It made ${count.toLocaleString('en')} requests in the last 24 hours.`,
  revokeVerb: 'Revoke key',
  emptyTitle: 'No keys yet',
  emptyText:
    'Programs use the API with a key. Make one for each, so that you can end one without the others.',
  gone: 'This key is not there any more. It was revoked, or the address is of another workspace.',
};
