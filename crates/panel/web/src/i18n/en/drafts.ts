/** Forms with unsaved changes: the save bar, the question before the user leaves, and conflicts with other users. */
export default {
  unsaved: 'Unsaved changes: {{fields}}',
  leaveTitle: 'Leave without saving?',
  leaveHint: 'Your changes on this page are not saved. If you leave, they are lost.',
  leaveUploadHint: 'A file is still being uploaded. If you leave, the upload is cancelled.',
  leave: 'Leave',
  stay: 'Stay here',
  conflictTitle: 'Another user changed this',
  conflictHint: 'Your changes are not saved. Use the saved version, or replace it with your changes.',
  conflictSame: 'The other user changed only values that you already see.',
  conflictWas: 'Before',
  conflictTheirs: 'Other user',
  conflictMine: 'You',
  unchanged: 'not changed',
  takeTheirs: 'Use the saved version',
  saveMine: 'Save my changes',
} as const;
