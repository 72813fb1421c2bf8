/** Dead letters: jobs that failed after all attempts. */
export default {
  title: 'Dead letters',
  description:
    'Background jobs that failed 12 times in about six hours, or that lost their process five times. Fix the cause, then retry or discard them.',
  emptyTitle: 'No dead letters',
  emptyText: 'No background job has failed permanently. Failed jobs appear here with the error.',
  failedAt: 'Failed',
  type: 'Job type',
  theError: 'the error',
  due: 'Was due',
  job: 'Dead letter',
  retry: 'Retry',
  retried: 'The job is queued again under a new ID.',
  notRetriable:
    'This job cannot be retried: its failure is already recorded. Start the work again at its object, then discard the job.',
  discardTitle: 'Discard this job?',
  discardHint: 'The job {{type}} for {{object}} will never run. This cannot be undone.',
  gone: 'This job is no dead letter: it was retried or discarded, or it belongs to another workspace.',
  noError: 'no error recorded',
} as const;
