import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import { Empty } from './states';

const noTags = (
  <Empty
    title="No tags yet"
    action={<button type="button">Create tag</button>}
    call={{ path: '/api/v1/tags' }}
  >
    Tags group contacts.
  </Empty>
);

test('an empty state offers its button, and shows the request only on demand', async () => {
  serve({});
  show(noTags);
  expect(await screen.findByRole('button', { name: 'Create tag' })).toBeTruthy();
  expect(screen.queryByText(/^curl/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'API call' }));
  expect(await screen.findByText(/^curl/)).toBeTruthy();
});

test('users who cannot manage keys see no request', async () => {
  serve({});
  show(noTags, { role: 'member' });
  expect(await screen.findByRole('button', { name: 'Create tag' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'API call' })).toBeNull();
});
