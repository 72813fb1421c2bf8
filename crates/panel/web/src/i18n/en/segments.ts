export const segments = {
  title: 'Segments',
  description:
    'Contacts that a condition chooses, by a name: lists, broadcasts, flows and sequences use them.',
  create: 'Create segment',
  filter: 'Filter by name',
  emptyText: 'A segment is a filter of contacts that you keep: who is in it follows what is known of them.',
  remove: 'Delete segment',
  deleteHint: 'The contacts that it chooses stay as they are.',
  condition: 'Who is in it',
  conditionHint: 'It is looked at anew each time that the segment is used.',
  contacts: 'Contacts',
  everybody: 'Without a rule everybody is in it.',
  unfinished: 'A rule is not finished: it counts once it is.',
  sample: 'Some of those in it',
  chooses: (count: number, more: boolean) =>
    count === 1 && !more
      ? '1 contact is in it now'
      : `${count === 0 ? 'No' : count.toLocaleString('en')}${more ? ' or more' : ''} contacts are in it now`,
  noSample: 'Who is in it is shown once all rules are right.',
  nameless: 'somebody without a name',
  lost: 'The rules refer to deleted objects:',
};
