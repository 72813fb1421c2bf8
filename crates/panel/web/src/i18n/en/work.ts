/** The progress of an import or a bulk edit. */
export default {
  statuses: {
    running: 'running',
  },
  background: 'This continues if you close the dialog.',
  cancelHint: 'Changes that are already made are not undone.',
} as const;
