import { expect, test, vi } from 'vitest';
import { loadPart } from '../api/connection';

const { textsReady } = vi.hoisted(() => ({ textsReady: vi.fn<() => Promise<void>>() }));
vi.mock('./load', () => ({ textsReady, want: () => undefined }));

test('shows a part only after its texts are loaded', async () => {
  let loaded: (() => void) | undefined;
  textsReady.mockReturnValue(
    new Promise((resolve) => {
      loaded = resolve;
    }),
  );
  const shown = vi.fn();
  const part = loadPart(async () => 'page').then(shown);
  await vi.waitFor(() => expect(textsReady).toHaveBeenCalled());
  expect(shown).not.toHaveBeenCalled();
  loaded?.();
  await part;
  expect(shown).toHaveBeenCalledExactlyOnceWith('page');
});

test('reports texts that cannot be loaded from a reachable server', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  textsReady.mockRejectedValue(new TypeError('404'));
  await expect(loadPart(async () => 'page')).rejects.toThrow('404');
});
