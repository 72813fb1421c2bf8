/** The progress of an import or a bulk edit. */
export default {
  progress: 'Progress',
  statuses: {
    queued: 'queued',
    running: 'running',
    completed: 'completed',
    cancelled: 'cancelled',
    failed: 'failed',
  },
  background: 'This continues if you close the dialog.',
  cancelHint: 'Changes that are already made are not undone.',
} as const;
