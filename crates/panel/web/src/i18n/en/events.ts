import { pages } from './pages';

export const events = {
  title: pages.events,
  description:
    'Everything that happened here, newest first, as webhooks tell it. Events are kept for 30 days.',
  emptyTitle: 'No events yet',
  emptyText: 'Each change is an event: make a contact, or play a message in the sandbox.',
  noneOfKind: (kind: string) => `No ${kind} is in the feed`,
  noneOfKindHint: 'Nothing of this kind happened, or it is older than events are kept.',
  clear: 'Clear the filter',
  kind: 'Kind',
  time: 'Time',
  about: 'About',
  actor: 'By',
  position: 'Position',
  id: 'Id',
  event: 'Event',
  envelope: 'Envelope',
  theEnvelope: 'the envelope',
  test: 'test',
  gone: 'It is not among the events that are loaded. Show more of them, or clear the filter.',
};
