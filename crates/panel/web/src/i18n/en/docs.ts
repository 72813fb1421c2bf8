/** The API reference, with a test key. */
export default {
  title: 'API docs',
  description: 'Read and try every operation. Requests that you send here go to the sandbox.',
  keyReady: 'A test key for the sandbox is filled in. It is only for this page and expires in 24 hours.',
  theKey: 'the test key',
  keyFailed:
    'No test key could be created for this page. You can read everything, and paste a key under Authentication.',
  noSandbox:
    'Requests need a key. With a sandbox, this page fills in a test key, and your requests reach no real contact.',
  noKey: 'To send requests, paste a key under Authentication. Admins of this workspace create keys.',
  reference: 'API reference',
  failed: 'The reference could not be loaded.',
} as const;
