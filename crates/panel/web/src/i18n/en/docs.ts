export const docs = {
  title: 'API docs',
  description: 'Every operation, to read and to try. Requests that you try here happen in the sandbox.',
  keyReady: 'A test key of the sandbox is filled in. It is for this page and ends in 24 hours.',
  keyName: (person: string) => `API docs, ${person}`.slice(0, 100),
  theKey: 'the test key',
  keyFailed:
    'No test key could be made for this page. You can read everything, and paste a key under Authentication.',
  noSandbox:
    'Requests need a key. With a sandbox, this page fills in a test key, and nothing that you try reaches anybody.',
  makeSandbox: 'Make the sandbox',
  notYours: 'To try requests, paste a key under Authentication. Admins of this workspace make keys.',
  reference: 'API reference',
  failed: 'The reference could not be loaded.',
};
