/** Saved replies. */
export default {
  title: 'Saved replies',
  description: 'Texts that members insert into messages. They are templates, filled in for each contact.',
  create: 'Create saved reply',
  emptyText:
    'Save a text that you send often. The inbox offers it to all members, filled in for the contact.',
  filter: 'Filter by name or text',
  nameHint: 'Members find the saved reply by this name.',
  textHint: 'A template: {{example}} becomes the name of the contact.',
  previewHint: 'The text that an unknown contact would receive.',
  previewFor: 'Preview for',
  previewForHint: 'The ID of a contact, or email:…, phone:… or external_id:…',
  deleteHint: 'Messages that were sent with it stay. You cannot undo this.',
  remove: 'Delete saved reply',
} as const;
