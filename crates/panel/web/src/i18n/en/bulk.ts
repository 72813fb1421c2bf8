const number = new Intl.NumberFormat('en-GB');
const people = (count: number) => (count === 1 ? '1 contact' : `${number.format(count)} contacts`);

export const bulk = {
  open: 'Change all',
  title: 'Change all that the list shows',
  everybody: 'The list has no filter: this reaches every contact of the workspace.',
  filtered: 'This reaches whom the filters of the list choose, also those that are not loaded.',
  action: 'What to do',
  actions: {
    tag: { name: 'Add a tag', says: 'Each of them gets it; who carries it already stays as they are.' },
    untag: { name: 'Take off a tag', says: 'From each of them who carries it.' },
    delete: {
      name: 'Delete',
      says: 'They are hidden everywhere, their flows and sequences end. For 30 days each can be restored.',
    },
  },
  tag: 'Tag',
  whichTag: 'Which tag',
  noTag: 'No tag has this name',
  count: 'Count them',
  nobody: 'The filters choose nobody now.',
  sure: {
    tag: (count: number, tag: string) => `Add “${tag}” to ${people(count)}?`,
    untag: (count: number, tag: string) => `Take “${tag}” off ${people(count)}?`,
    delete: (count: number, _tag: string) => `Delete ${people(count)}?`,
  },
  verb: {
    tag: (count: number) => `Tag ${people(count)}`,
    untag: (count: number) => `Untag ${people(count)}`,
    delete: (count: number) => `Delete ${people(count)}`,
  },
  changedMeanwhile: (count: number) => `Their number changed meanwhile: it is ${people(count)} now.`,
  back: 'Back',
  of: (done: number, all: number) => `${number.format(done)} of ${people(all)}`,
  changed: 'Changed',
  unchanged: 'Unchanged',
  failed: 'Not possible',
  failedHint: 'Who carries 100 tags already gets no other.',
  cancel: 'Cancel it',
  all: 'All changes',
  past: 'Past changes',
  pastHint: 'Those of the last 30 days.',
  what: 'What',
  when: 'When',
  status: 'Status',
  figure: (count: number) => number.format(count),
  did: {
    tag: (tag: string) => `Added “${tag}”`,
    untag: (tag: string) => `Took off “${tag}”`,
    delete: (_tag: string) => 'Deleted',
  },
  aTag: 'a tag that is gone',
};
