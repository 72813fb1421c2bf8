import { readdirSync, readFileSync } from 'node:fs';
import { TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { show } from '../settings/testing';
import { GuardedDrawer, GuardedModal } from './guarded';
import { LeaveGuard } from './leave-guard';

const CLOSE = { 'aria-label': 'Close' };

interface FormProps {
  onClose: () => void;
  save?: () => Promise<unknown>;
}

function Form({ onClose, save = async () => undefined }: FormProps) {
  const [name, setName] = useState('Ada');
  const saving = useMutation({ mutationFn: save });
  const navigate = useNavigate();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(undefined, { onSuccess: () => void navigate({ to: '/login' as never }) });
      }}
    >
      <label>
        Name
        <input value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button type="submit">Save</button>
      <button type="button" onClick={() => void navigate({ to: '/login' as never })}>
        Go to another page
      </button>
      {saving.error && <p>Not saved</p>}
    </form>
  );
}

function Page({
  onClose,
  save,
  kind: Kind,
}: FormProps & { kind: typeof GuardedDrawer | typeof GuardedModal }) {
  const [opened, setOpened] = useState(true);
  const close = () => {
    onClose();
    setOpened(false);
  };
  return (
    <Kind opened={opened} onClose={close} title="Form" closeButtonProps={CLOSE}>
      <Form onClose={close} save={save} />
    </Kind>
  );
}

async function open(kind: typeof GuardedDrawer | typeof GuardedModal, save?: () => Promise<unknown>) {
  const onClose = vi.fn();
  show(<Page kind={kind} onClose={onClose} save={save} />);
  return { onClose, field: (await screen.findByLabelText('Name')) as HTMLInputElement };
}

const question = () => screen.queryByRole('dialog', { name: 'Discard what you typed?' });
const beside = () => document.querySelector('.mantine-Drawer-overlay, .mantine-Modal-inner') as HTMLElement;

test.each([
  ['drawer', GuardedDrawer],
  ['dialog', GuardedModal],
] as const)('a %s asks before Escape loses text, and Escape keeps editing', async (_, kind) => {
  const { onClose, field } = await open(kind);
  await userEvent.type(field, ' Lovelace');
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('dialog', { name: 'Discard what you typed?' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(question()).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  expect(field.value).toBe('Ada Lovelace');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a click outside of a drawer asks', async () => {
  const { onClose, field } = await open(GuardedDrawer);
  await userEvent.type(field, '!');
  fireEvent.click(beside());
  await screen.findByRole('dialog', { name: 'Discard what you typed?' });
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(onClose).not.toHaveBeenCalled();
});

test('does not ask without a change', async () => {
  const { onClose, field } = await open(GuardedDrawer);
  await userEvent.type(field, 'x{Backspace}');
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(question()).toBeNull();
});

test('asks before another route opens', async () => {
  const { field } = await open(GuardedModal);
  await userEvent.type(field, '!');
  await userEvent.click(screen.getByRole('button', { name: 'Go to another page' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
});

test('does not ask after saving', async () => {
  const { field } = await open(GuardedDrawer);
  await userEvent.type(field, '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
  expect(question()).toBeNull();
});

test('text stays unsaved after a failed save', async () => {
  const { onClose, field } = await open(GuardedDrawer, () => Promise.reject(new Error('refused')));
  await userEvent.type(field, '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Not saved');
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('dialog', { name: 'Discard what you typed?' });
  expect(onClose).not.toHaveBeenCalled();
});

test('counts a tag as typed text, but not a filter', async () => {
  const onClose = vi.fn();
  show(
    <GuardedDrawer opened onClose={onClose} title="Form" closeButtonProps={CLOSE}>
      <input aria-label="Find" data-filter />
      <TagsInput label="Tags" data={[]} />
    </GuardedDrawer>,
  );
  await userEvent.type(await screen.findByLabelText('Find'), 'vip');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.type(screen.getByLabelText('Tags', { selector: 'input' }), 'vip{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByRole('dialog', { name: 'Discard what you typed?' });
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('asks one question if a form in a drawer reports its changes', async () => {
  const onClose = vi.fn();
  show(
    <GuardedDrawer opened onClose={onClose} title="Form" closeButtonProps={CLOSE}>
      <LeaveGuard unsaved />
    </GuardedDrawer>,
  );
  await screen.findByRole('dialog', { name: 'Form' });
  await userEvent.keyboard('{Escape}');
  expect(await screen.findAllByRole('dialog', { name: /Discard|Leave/ })).toHaveLength(1);
  expect(onClose).not.toHaveBeenCalled();
});

test('guards each drawer and dialog with fields', () => {
  // In these files a dialog or drawer has no text that a user could lose.
  const WITHOUT_INPUT = ['app/search.tsx', 'components/guarded.tsx', 'contacts/export-dialog.tsx'];
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.tsx'));
  const unguarded = files.filter((name) => {
    const text = readFileSync(`src/${name}`, 'utf8');
    return (
      /<(Drawer|Modal)\b/.test(text) && /<(TextInput|Textarea|TagsInput|PasswordInput|\w*Form)\b/.test(text)
    );
  });
  expect(unguarded.filter((it) => !WITHOUT_INPUT.includes(it))).toEqual([]);
});
