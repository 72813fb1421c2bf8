/** Secrets of flows. */
export default {
  title: 'Secrets',
  description:
    'Confidential values for the HTTP requests of flows. Templates use them by name, and they are sent only to their hosts.',
  descriptionReadOnly:
    'Confidential values for the HTTP requests of flows. Templates use them by name, and they are sent only to their hosts. Admins and owners add, replace and delete secrets.',
  create: 'Add a secret',
  emptyTitle: 'No secrets yet',
  emptyText: 'An HTTP request of a flow uses a secret as {{example}} in its address, headers or body.',
  nameHint: 'A capital letter, then capital letters, digits and _.',
  valueHint: 'Stored encrypted. No page and no response of the API shows it again.',
  newValueHint: 'The current value is not shown. Enter it again, or enter a new value.',
  hosts: 'Hosts',
  hostsHint: 'The secret is sent only to these exact host names. Enter one per line.',
  updated: 'Last replaced',
  used: 'In templates',
  replaceTitle: 'Replace {{name}}',
  replaceVerb: 'Replace secret',
  conflict: 'Someone else replaced this secret. Check its hosts, and save again.',
  deleteHint: 'HTTP requests that use this secret fail after that. You cannot undo this.',
  deleteVerb: 'Delete secret',
  gone: 'No secret has this name. The secret was deleted, or the address belongs to another workspace.',
} as const;
