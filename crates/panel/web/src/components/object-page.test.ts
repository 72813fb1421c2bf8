import { expect, test } from 'vitest';
import { pageOf } from './object-page';

test('an object leads to its own page, where its kind has one', () => {
  expect(['contact_1', 'hook_1', 'tag_1'].map(pageOf)).toEqual([
    '/contacts/contact_1',
    '/webhooks/hook_1',
    '/objects/tag_1',
  ]);
});
