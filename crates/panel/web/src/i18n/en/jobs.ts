import { pages } from './pages';

export const jobs = {
  title: pages.jobs,
  description:
    'Work that was tried twelve times in about six hours, or ended its process, and was put aside. Retry it once its cause is gone, or let it go.',
  emptyTitle: 'Nothing was put aside',
  emptyText: 'All work is done or still being tried. What fails for good stands here, with why.',
  putAside: 'Put aside',
  kind: 'Work',
  subject: 'Of',
  error: 'What was wrong',
  attempts: 'Attempts',
  due: 'Was due',
  id: 'Id',
  job: 'Dead letter',
  retry: 'Retry',
  retried: 'It is queued again, under an id of its own.',
  notRetriable: 'It cannot be retried: what waited for it was told that it failed.',
  drop: 'Let it go',
  dropTitle: 'Let this work go?',
  dropHint: (kind: string, subject: string) => `${kind} of ${subject} is never done. This cannot be undone.`,
  dropVerb: 'Let it go',
  gone: 'It is not put aside any more: it was retried or let go, or the address is of another workspace.',
  noError: 'nothing was told',
};
