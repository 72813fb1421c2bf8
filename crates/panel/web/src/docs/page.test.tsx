import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { serve, show } from '../settings/testing';
import { Docs } from './page';

const { never, loadReference } = vi.hoisted(() => {
  const never = () => new Promise<never>(() => undefined);
  return { never, loadReference: vi.fn(never) };
});
// The reference is a separate script, which jsdom does not load.
vi.mock('./reference', () => ({ loadReference }));
vi.mock('./page-key', () => ({ pageKey: never }));

test('asks a member to paste a key', async () => {
  serve({});
  show(<Docs />, { role: 'member' });
  expect(await screen.findByText(/paste a key under Authentication/)).toBeTruthy();
});

test('loads the reference while the key is created', async () => {
  loadReference.mockClear();
  serve({});
  show(<Docs />);
  await screen.findByRole('heading', { name: 'API docs' });
  expect(screen.queryByText(/^A test key/)).toBeNull();
  expect(loadReference).toHaveBeenCalledOnce();
});
