import { expect, test } from 'vitest';
import { pageOf } from './object-page';

test('links an object to its own page if its type has one', () => {
  expect(['contact_1', 'hook_1', 'tag_1'].map(pageOf)).toEqual([
    '/contacts/contact_1',
    '/webhooks/hook_1',
    '/objects/tag_1',
  ]);
});
