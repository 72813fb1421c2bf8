import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { connectRoutes } from '../app/routes-connect';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { SavedReplies } from './page';

const AT = '2026-01-01T00:00:00.000Z';
const REPLY = {
  id: 'reply_1',
  name: 'Hours',
  text: 'From 9 to 17.',
  created_at: AT,
  updated_at: AT,
  version: 1,
};
const PATH = '/api/v1/saved-replies';
const served = {
  [`GET ${PATH}`]: () => ({ data: [REPLY], next_cursor: null }),
  [`GET ${PATH}/reply_1`]: () => Response.json(REPLY, { headers: { ETag: '"1-a"' } }),
  'POST /api/v1/templates/render': (body: unknown) => ({
    text: `Rendered: ${(body as { template: string }).template}`,
    unknown_names: (body as { template: string }).template.match(/contact\.frist_name/g) ?? [],
  }),
};

test('saves a text on the version that was shown, and previews it', async () => {
  const saved = vi.fn();
  serve({
    ...served,
    [`PATCH ${PATH}/reply_1`]: (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return { ...REPLY, version: 2 };
    },
  });
  show(<SavedReplies />, { path: '/?open=reply_1' });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Rendered: From 9 to 17.')).toBeTruthy();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), '!');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ name: 'Hours!' }, '"1-a"'));
});

test('an older address opens its saved reply', () => {
  const route = connectRoutes.find(
    ({ options }) => 'path' in options && options.path?.includes('saved-replies'),
  );
  const read = route?.options.validateSearch as (search: object) => object;
  expect(read({ reply: 'reply_1' })).toMatchObject({ open: 'reply_1' });
});

test('reports an unknown variable below the preview', async () => {
  serve({ ...served, [`GET ${PATH}/reply_1`]: () => ({ ...REPLY, text: 'Hi {{ contact.frist_name }}' }) });
  show(<SavedReplies />, { path: '/?open=reply_1' });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/^Unknown variable contact.frist_name/)).toBeTruthy();
});

test('a viewer sees a text without a preview', async () => {
  const rendered = vi.fn();
  serve({
    ...served,
    'POST /api/v1/templates/render': () => {
      rendered();
      return { text: '', unknown_names: [] };
    },
  });
  show(<SavedReplies />, { role: 'viewer', path: '/?open=reply_1' });
  const dialog = await screen.findByRole('dialog');
  const text = (await within(dialog).findByDisplayValue('From 9 to 17.')) as HTMLTextAreaElement;
  const name = within(dialog).getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
  expect([text.readOnly, name.readOnly]).toEqual([true, true]);
  expect(within(dialog).queryByRole('status', { name: 'Preview' })).toBeNull();
  expect(rendered).not.toHaveBeenCalled();
});

test('shows a saved reply in German', async () => {
  serve(served);
  await inLanguage('de', async () => {
    show(<SavedReplies />, { path: '/?open=reply_1' });
    const dialog = await screen.findByRole('dialog', { name: 'Hours' });
    expect(await within(dialog).findByText(/wird zum Namen des Kontakts/)).toBeTruthy();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Gespeicherte Antwort löschen' }));
    expect(await screen.findByRole('dialog', { name: '„Hours“ löschen?' })).toBeTruthy();
  });
});
