export const analytics = {
  title: 'Analytics',
  description: 'How often things happened, by the clock of a zone.',
  asOf: 'Counted up to',
  range: 'Range',
  ranges: {
    P1D: 'last 24 hours',
    P7D: 'last 7 days',
    P30D: 'last 30 days',
    P90D: 'last 90 days',
    P365D: 'last year',
  },
  interval: 'By',
  intervals: { hour: 'hour', day: 'day', week: 'week' },
  zone: 'Time zone',
  contactsTotal: 'Contacts at the end',
  chart: 'Chart',
  table: 'Table',
  showTable: 'Show as a table',
  hideTable: 'Hide the table',
  at: 'From',
  total: 'Total',
  nothing: 'Nothing of this happened in the range.',
  groups: {
    messages: 'Messages',
    contacts: 'Contacts',
    conversations: 'Conversations',
    flows: 'Flow runs',
    sequences: 'Sequences',
    broadcasts: 'Broadcasts',
    webhooks: 'Webhook deliveries',
  },
  counts: {
    received: 'received',
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    failed: 'failed',
    suppressed: 'suppressed',
    created: 'created',
    deleted: 'deleted',
    restored: 'restored',
    unsubscribed: 'unsubscribed',
    resolved: 'resolved',
    started: 'started',
    completed: 'completed',
    enrolled: 'enrolled',
    exited: 'left early',
  } as Record<string, string>,
  byChannel: 'Messages by channel',
  channel: 'Channel',
  deletedChannel: 'a channel that was deleted',
  conversationsNow: { open: 'Open now', pending: 'With bots now', snoozed: 'Snoozed now' },
  notSent: 'Messages that were not sent',
  reason: 'Why',
  share: 'Share',
  count: 'Messages',
  byFlow: 'Runs by flow',
  bySequence: 'Enrollments by sequence',
  byBroadcast: 'Messages by broadcast',
  flow: 'Flow',
  sequence: 'Sequence',
  broadcast: 'Broadcast',
  most: 'The 100 with most are shown.',
  save: 'Save as CSV',
};

export const attention = {
  title: 'Needs attention',
  nothing: 'Nothing needs attention: webhooks, channels, flows and background work are well.',
  storage: {
    near_limit: 'More than 80 % of the storage that your plan allows is used',
    full: 'The storage is full: requests that create or enlarge objects fail',
  },
  disabled: (count: number) => (count === 1 ? '1 webhook is disabled' : `${count} webhooks are disabled`),
  failing: (count: number) =>
    count === 1 ? 'The receiver of 1 webhook fails' : `The receivers of ${count} webhooks fail`,
  disconnected: (count: number) =>
    count === 1 ? '1 channel is disconnected' : `${count} channels are disconnected`,
  sandboxDefault: (channel: string) =>
    `Connect a channel: the default channel “${channel}” is a sandbox, so its messages reach no contact`,
  runsFailed: (flow: string, count: number) =>
    `${count === 1 ? '1 run' : `${count.toLocaleString('en')} runs`} of “${flow}” failed in the last 24 hours`,
  moreFlows: (count: number) =>
    count === 1 ? 'Runs of 1 more flow failed' : `Runs of ${count} more flows failed`,
  secretMisuse: 'fails',
  misusesSecret: (flow: string) =>
    `“${flow}” uses a secret in an expression, so its calls fail. Write {{ secrets.NAME }} alone and publish again.`,
  moreMisuses: (count: number) =>
    count === 1
      ? '1 more flow uses a secret in an expression'
      : `${count} more flows use secrets in expressions`,
  dead: (count: number, more: boolean) =>
    count === 1 && !more ? '1 dead letter' : `${count}${more ? ' or more' : ''} dead letters`,
};
