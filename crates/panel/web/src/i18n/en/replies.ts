/** Saved replies. */
export default {
  title: 'Saved replies',
  description: 'Texts that members insert into messages. They are templates, filled in for each contact.',
  create: 'Create saved reply',
  emptyText:
    'Save a text that you send often. The inbox offers it to all members, filled in for the contact.',
  nameHint: 'Members find the saved reply by this name.',
  taken: 'Another saved reply has this name.',
  textHint: 'A template: {{example}} becomes the name of the contact.',
  previewHint: 'The text that an unknown contact would receive.',
  previewFor: 'Preview for',
  previewForHint: 'The ID of a contact, or email:…, phone:… or external_id:…',
  edit: 'Saved reply',
  deleteHint: 'Messages that were sent with it stay. You cannot undo this.',
  deleteVerb: 'Delete saved reply',
  gone: 'No saved reply has this ID. The saved reply was deleted, or the address belongs to another workspace.',
} as const;
