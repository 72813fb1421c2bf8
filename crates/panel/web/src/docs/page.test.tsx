import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { serve, show } from '../settings/testing';
import { Docs } from './page';

// The reference is a separate script, which jsdom does not load.
vi.mock('./reference', () => ({ loadReference: () => new Promise(() => undefined) }));

test('a member is asked to paste a key', async () => {
  serve({});
  show(<Docs />, { role: 'member' });
  expect(await screen.findByText(/paste a key under Authentication/)).toBeTruthy();
});
