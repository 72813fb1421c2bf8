export const flowStatistics = {
  period: 'Period',
  ever: 'all time',
  periods: {
    PT1H: 'last hour',
    P1D: 'last 24 hours',
    P7D: 'last 7 days',
    P30D: 'last 30 days',
    P90D: 'last 90 days',
  },
  version: 'Version',
  every: 'all',
  asOf: 'Counted up to',
  canvas: (version: number) => `How runs go through version ${version}`,
  table: 'Nodes with what became of runs at them',
  node: 'Node',
  entered: 'Came',
  left: 'Went on by',
  failed: 'Failed',
  waiting: 'There now',
  median: 'Median stay',
  otherVersion: 'Of another version',
  others: (count: number) =>
    count === 1
      ? '1 node is not in the version that is drawn: choose another to see where it stands.'
      : `${count} nodes are not in the version that is drawn: choose another to see where they stand.`,
  came: (count: string) => `${count} came`,
  failedThere: (count: string) => `${count} failed`,
  stay: (time: string) => `median ${time}`,
  never: 'no run came here',
  here: (count: string) => `${count} now`,
  seeWaiting: (here: string, node: string) => `${here} at ${node}: see who waits`,
  emptyTitle: 'No run came to any node',
  emptyText:
    'Once somebody goes through the flow, each node tells how many came, and by which ways they went on.',
  emptyFiltered: 'Choose a longer period or another version, or start a run.',
  unpublishedTitle: 'Nothing is published yet',
  unpublishedText:
    'Runs go by published versions: publish the flow, and what becomes of them is counted here.',
};
