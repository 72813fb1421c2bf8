/**
 * The keys of queries that several subjects read or refresh. Refreshing a key refreshes all keys that begin
 * with it.
 */
export const keys = {
  me: (ws: string) => ['me', ws],
  tags: (ws: string) => ['tags', ws],
  customFields: (ws: string) => ['custom-fields', ws],
  botFields: (ws: string) => ['bot-fields', ws],
  segments: (ws: string) => ['segments', ws],
  channels: (ws: string) => ['channels', ws],
  flows: (ws: string) => ['flows', ws],
  sequences: (ws: string) => ['sequences', ws],
  broadcasts: (ws: string) => ['broadcasts', ws],
  savedReplies: (ws: string) => ['saved-replies', ws],
  contacts: (ws: string) => ['contacts', ws],
  timelines: (ws: string) => ['timeline', ws],
  conversations: (ws: string) => ['conversations', ws],
  conversation: (ws: string) => ['conversation', ws],
  conversationCounts: (ws: string) => ['conversation-counts', ws],
  viewCounts: (ws: string) => ['view-counts', ws],
  thread: (ws: string) => ['thread', ws],
  threadEnd: (ws: string) => ['thread-end', ws],
  deliveries: (ws: string) => ['deliveries', ws],
  flowVersions: (ws: string) => ['flow-versions', ws],
  flowValidation: (ws: string) => ['flow-validation', ws],
};
