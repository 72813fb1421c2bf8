import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { saveFile } from '../components/save-file';
import { serve, show } from '../settings/testing';
import { ImportPage } from './page';
import { REJECTED, service } from './testing';

vi.mock('../components/save-file', () => ({ saveFile: vi.fn() }));

test('saves rejected rows with a byte order mark for Excel', async () => {
  serve(service().answers);
  show(<ImportPage />, { path: '/contacts/import?id=imp_1', route: '/contacts/import', role: 'owner' });
  await userEvent.click(await screen.findByRole('button', { name: /^Download rejected rows/ }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  const [table, name] = vi.mocked(saveFile).mock.calls[0] ?? [];
  expect([table?.size, name]).toEqual([REJECTED.length + 3, 'imp_1-rejected.csv']);
});
