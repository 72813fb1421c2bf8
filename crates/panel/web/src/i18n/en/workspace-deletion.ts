/** Export, deletion and restore of a workspace. */
export default {
  exportTitle: 'Export',
  exportHint:
    'Download all data of this workspace as one compressed file. It contains personal data of contacts and members, so store it safely. It contains no secrets, such as API keys and passwords.',
  exportRunning: 'Preparing the file. Keep this page open until the download is complete.',
  exportDone: 'Downloaded {{file}}.',
  exportInterrupted: 'The download stopped before the file was complete. Try again.',
  deleteHint:
    'Delete this workspace, its sandbox and all data. You see the numbers first, and the workspace can be restored for some time.',
  effect: 'After the deletion, API requests are rejected and nothing is sent.',
  effectWithSandbox:
    'After the deletion, API requests are rejected and nothing is sent. Its sandbox is deleted too.',
  restoreUntil: 'You can restore the workspace until {{until}}. After that, all data is deleted permanently.',
  objects: {
    webhooks: 'Webhooks',
    api_keys: 'API keys',
    members: 'Members',
  },
  typeName: 'Type the name of the workspace to confirm',
  renamed: 'Another user changed the name of the workspace.',

  sandboxTitle: 'Export and deletion',
  sandboxHint:
    'This sandbox is deleted and restored together with “{{name}}”. Export or delete that workspace in its own settings.',
  sandboxOpen: 'Open the live workspace',

  pageTitle: '“{{name}}” is deleted',
  canRestore: 'It can be restored until {{until}}.',
  tooLate: 'It could be restored until {{until}}. Its data is deleted permanently.',
  askOwner: 'Ask an owner of the workspace to restore it.',
  late: 'Messages that waited during the deletion',
  lateChoices: {
    hold: {
      name: 'Keep them waiting',
      says: 'Sending is paused after the restore. Resume it in the workspace settings.',
    },
    send: {
      name: 'Send late messages',
      says: 'Sending starts again after the restore, late messages included.',
    },
  },
  switchWorkspace: 'Switch workspace',
} as const;
