/** The events of a workspace. */
export default {
  title: 'Events',
  description:
    'Everything that happened in this workspace, newest first. Webhooks send the same events. Events are stored for 30 days.',
  emptyTitle: 'No events yet',
  emptyText: 'Each change is an event: create a contact, or simulate a message in the sandbox.',
  noneOfType: 'No {{type}} events',
  noneOfTypeHint: 'No event of this type happened in the last 30 days.',
  clear: 'Clear the filter',
  senders: {
    user: 'member',
    contact: 'contact',
    flow: 'flow',
    sequence: 'sequence',
    schedule: 'schedule',
    broadcast: 'broadcast',
    system: 'the service',
  },
  position: 'Position',
  envelope: 'Envelope',
  theEnvelope: 'the envelope',
  test: 'test',
  gone: 'This event is not loaded. Show more events, or clear the filter.',
} as const;
