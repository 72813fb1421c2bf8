/** What goes on in the background: an import, a change of many. */
export const work = {
  progress: 'How far it is',
  statuses: {
    queued: 'waiting',
    running: 'running',
    completed: 'completed',
    cancelled: 'cancelled',
    failed: 'failed',
  },
  background: 'It goes on where this is closed.',
  cancelHint: 'What is done stays.',
};
