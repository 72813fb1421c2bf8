/** Times to the first reply and to resolve, by member and channel. */
export default {
  title: 'Reply times',
  description: 'Time until a member replies to a contact, and until a member resolves the conversation.',
  ownDays: 'own dates',
  faults: {
    incomplete: 'Enter both dates.',
    reversed: 'The first date must not be after the last date.',
    tooLong: 'Choose at most {{count}} days.',
  },
  columns: {
    first_reply: {
      count: 'First replies',
      median: 'First reply, median',
      p90: 'First reply, 90th percentile',
    },
    resolution: {
      count: 'Resolved',
      median: 'Time to resolve, median',
      p90: 'Time to resolve, 90th percentile',
    },
  },
  explanation:
    'Times start when the contact writes or a flow hands the conversation over. Replies and resolutions by flows and API keys do not count. Times are accurate to 10%.',
  byAgent: 'By member',
  agent: 'Member',
  formerMember: 'former member {{id}}',
  byChannel: 'By channel',
  openInbox: 'Open the inbox',
  emptyTitle: 'No reply times in this range',
  emptyText:
    'Reply times appear when members reply to contacts or resolve conversations in the inbox. Replies by flows and API keys do not count.',
} as const;
