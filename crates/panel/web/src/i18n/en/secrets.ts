import { pages } from './pages';

export const secrets = {
  title: pages.secrets,
  description:
    'Values that the calls of flows need, and nobody should read: templates name them, and they go to their hosts alone.',
  create: 'Add a secret',
  emptyTitle: 'No secrets yet',
  emptyText: 'A call of a flow names a secret as {{ secrets.NAME }} in its address, headers or body.',
  name: 'Name',
  nameHint: 'A capital letter, then capital letters, digits and _.',
  value: 'Value',
  valueHint: 'Kept sealed. No page and no answer shows it again.',
  newValueHint: 'The value so far is shown nowhere: give it again, or a new one.',
  hosts: 'Hosts',
  hostsHint: 'Where it may be sent: exact host names, one in a line.',
  changed: 'Last replaced',
  used: 'In templates',
  replace: 'Replace',
  replaceTitle: (name: string) => `Replace ${name}`,
  replaceVerb: 'Replace secret',
  changedMeanwhile:
    'Somebody else replaced this secret meanwhile. Look at its hosts again, and save once more.',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeHint: 'Calls that name it fail from then on. This cannot be undone.',
  removeVerb: 'Delete secret',
  gone: 'There is no such secret. It was deleted, or the address is of another workspace.',
  forAdmins: 'Admins and owners add, replace and delete secrets.',
};

export const replies = {
  title: pages.replies,
  description:
    'Texts that people who answer put into their messages. They are templates, filled in for each contact.',
  create: 'Create saved reply',
  emptyTitle: 'No saved replies yet',
  emptyText: 'Write what you say often once: the inbox offers it to everybody, filled in for the contact.',
  name: 'Name',
  nameHint: 'By which people find it.',
  taken: 'Another saved reply has this name.',
  text: 'Text',
  textHint: 'A template: {{ contact.first_name | default("there") }} becomes the contact’s name.',
  preview: 'Preview',
  previewHint: 'As it would be sent now, to somebody of whom nothing is known.',
  unknownNames: (names: string[]) =>
    `Nothing has ${names.join(', ')}: it stays empty, whoever gets the text.`,
  previewFor: 'Preview for',
  previewForHint: 'A contact’s id, or email:…, phone:…, external_id:…',
  changed: 'Last changed',
  edit: 'Saved reply',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeHint: 'What was sent with it stays. This cannot be undone.',
  removeVerb: 'Delete saved reply',
  gone: 'There is no such saved reply. It was deleted, or the address is of another workspace.',
};
