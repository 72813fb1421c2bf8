export const flows = {
  title: 'Flows',
  description:
    'What happens when somebody writes, or something happens to a contact: step by step, by itself.',
  create: 'Create flow',
  name: 'Name',
  version: 'Version',
  draft: 'Draft',
  noChanges: 'as published',
  none: 'none yet',
  changes: 'unpublished changes',
  changed: 'Changed',
  state: 'State',
  states: { draft: 'draft', active: 'active', paused: 'paused', archived: 'archived' },
  allStates: 'All states',
  atVersion: (word: string, version: number) => `${word}, version ${version}`,
  count: (count: number) => (count === 1 ? '1 flow' : `${count.toLocaleString('en')} flows`),
  filter: 'Filter by name',
  emptyTitle: 'No flows yet',
  emptyText:
    'A flow greets, asks, decides and waits, so that people need not. Start from a template, or from nothing.',
  noMatch: 'No flow matches the filters',
  noMatchHint: 'Clear them to see all flows.',
  clear: 'Clear the filters',
  startFrom: 'Start from',
  templates: {
    nothing: { name: 'Nothing', says: 'An empty flow with an end. You add the rest.' },
    welcome: { name: 'Welcome', says: 'Greets a new contact and asks for the e-mail address.' },
    'opt-in': { name: 'Newsletter by keyword', says: 'Asks once more, then sets the tag newsletter.' },
    support: { name: 'Hand over to people', says: 'Asks what it is about, leaves a note, and hands over.' },
    nurture: { name: 'A week with us', says: 'Three messages within a week, in hours that suit.' },
    vip: { name: 'Gold customers are VIPs', says: 'Follows a field, and keeps the tag vip by it.' },
  },
  needs: 'It names tags or fields that this workspace may lack: the findings say which.',
  createHint: 'It is a draft, which nobody is in until you publish it.',

  head: 'Flow',
  rename: 'Rename',
  renameTo: 'The flow’s name',
  more: 'More',
  id: 'Id',
  pause: 'Pause',
  resume: 'Resume',
  remove: 'Delete',
  duplicate: 'Duplicate',
  copied: ' (copy)',
  pauseTitle: (name: string) => `Pause ${name}?`,
  pauseHint: (runs: number) =>
    `Nothing starts, and ${runs === 0 ? 'runs stay' : runs === 1 ? '1 run stays' : `${runs.toLocaleString('en')} runs stay`} where they are: neither time nor replies move them until you resume the flow.`,
  pauseVerb: 'Pause flow',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeHint: (runs: number) =>
    runs === 0
      ? 'Nobody is in it now. This cannot be undone.'
      : `${runs === 1 ? '1 run is' : `${runs.toLocaleString('en')} runs are`} in it now, and would be interrupted. This cannot be undone.`,
  removeVerb: 'Delete flow',
  inUse: 'These still name it, and would lose it:',
  removeAnyway: 'Delete all the same',
  gone: 'There is no such flow',
  goneHint: 'It was deleted, or the address is of another workspace.',
  toList: 'Go to the flows',
  lost: 'This flow refers to deleted objects:',
  tabs: {
    build: 'Build',
    simulate: 'Simulate',
    json: 'JSON',
    runs: 'Runs',
    statistics: 'Statistics',
    versions: 'Versions',
  },
  openEditor: 'Open the editor',
  startForContact: 'Choose a contact to start it',
  parts: 'Parts of the flow',
  conflict:
    'Somebody else changed this flow meanwhile. What is shown is theirs now; do what you meant once more.',
  savedAt: 'Draft saved',

  changedAt: 'Changed',
  theDefinition: 'the definition',
  noObject: 'a definition is an object',
  notJson: (why: string) => `This is no JSON: ${why}`,
  unsaved: 'Not saved yet',
  saveDraft: 'Save draft',
  conflictJson: 'Somebody else saved the draft meanwhile.',
  takeTheirs: 'Take theirs',
  saveMine: 'Save mine',
  findings: 'Findings',
  findingsBroken: 'The text has to be JSON before it can be looked at.',
  noFindings: 'Nothing stands in the way of publishing.',
  findingsCount: ({ errors, warnings }: { errors: number; warnings: number }) =>
    [
      errors > 0 &&
        (errors === 1
          ? '1 error, which stands in the way of publishing'
          : `${errors} errors, which stand in the way of publishing`),
      warnings > 0 && (warnings === 1 ? '1 warning' : `${warnings} warnings`),
    ]
      .filter(Boolean)
      .join('; '),
  error: 'Error',
  warning: 'Warning',
  didYouMean: (all: string[]) => `Did you mean ${all.join(', ')}?`,

  publish: 'Publish',
  publishVersion: (version: number) => `Publish version ${version}`,
  publishTitle: (version: number) => `Publish version ${version}?`,
  publishHint:
    'What starts from now on runs by it. A published version never changes; an earlier one can be restored.',
  publishNobody: 'Nobody is in the flow now.',
  publishRuns: (runs: number, version: number) =>
    `${runs === 1 ? '1 run is' : `${runs.toLocaleString('en')} runs are`} under way, by version ${version} or an earlier one. What becomes of them?`,
  running: {
    pin: { name: 'They finish as they began', says: 'Each run stays on the version that it started with.' },
    migrate: { name: 'They go on in the new version', says: 'Where it still has the node that they are at.' },
    cancel: { name: 'They end', says: 'Each is interrupted where it is.' },
  },
  runningLabel: 'Runs under way',
  publishRefused: 'What stands in the way',
  publishUnsaved: 'What you typed under JSON is not saved yet, and would not be part of it. Save it first.',
  published: (version: number) => `Version ${version} is published.`,
};
