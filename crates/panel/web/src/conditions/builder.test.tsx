import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { ConditionBuilder } from './builder';
import { fieldsOf, kindsOf, NOTHING } from './fields';
import type { Condition } from './grammar';
import { type Group, read, rulesIn, write } from './model';

let current: Group;

function Builder({ from, faulty }: { from?: Condition; faulty?: boolean }) {
  const [value, setValue] = useState(() => read(from));
  current = value;
  const faults = Object.fromEntries(rulesIn(value).map(({ id }) => [id, 'Not so.']));
  return (
    <ConditionBuilder
      label="Filter"
      value={value}
      onChange={setValue}
      fields={fieldsOf(NOTHING)}
      faults={faulty ? faults : undefined}
    />
  );
}

const show = (from?: Condition, faulty?: boolean) =>
  render(
    <MantineProvider env="test">
      <Builder from={from} faulty={faulty} />
    </MantineProvider>,
  );
const meant = () => write(current, kindsOf(fieldsOf(NOTHING))).condition;

async function choose(label: string, option: string) {
  await userEvent.click(screen.getAllByRole('combobox', { name: label }).at(-1) as HTMLElement);
  await userEvent.click(await screen.findByRole('option', { name: option }));
}

test('builds a condition from a field, a comparison and a value', async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  await choose('Field', 'Email');
  await choose('Comparison', 'contains');
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), 'acme');
  expect(meant()).toEqual({ field: 'email', op: 'contains', value: 'acme' });

  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  await choose('Field', 'Subscribed');
  await choose('Value', 'no');
  await choose('Combine the rules', 'No rule matches');
  expect(meant()).toEqual({
    not: {
      any: [
        { field: 'email', op: 'contains', value: 'acme' },
        { field: 'subscribed', op: 'eq', value: false },
      ],
    },
  });
});

test('compares a picture only by its presence', async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  await choose('Field', 'Picture');
  expect(meant()).toEqual({ field: 'avatar_url', op: 'exists' });
  expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull();

  await userEvent.click(screen.getByRole('combobox', { name: 'Comparison' }));
  const offered = await screen.findAllByRole('option', { name: /^has / });
  expect(offered.map(({ textContent }) => textContent)).toEqual(['has a value', 'has no value']);
  expect(screen.queryByRole('option', { name: 'contains' })).toBeNull();
  await userEvent.click(screen.getByRole('option', { name: 'has no value' }));
  expect(meant()).toEqual({ field: 'avatar_url', op: 'not_exists' });
});

test('removes a rule, and a group with its last rule', async () => {
  const email: Condition = { field: 'email', op: 'exists' };
  show({ all: [email, { any: [{ field: 'phone', op: 'exists' }] }] });
  const inner = screen.getByRole('group', { name: 'Group of rules' });
  await userEvent.click(within(inner).getByRole('button', { name: 'Remove rule' }));
  expect(meant()).toEqual(email);
});

test('shows the error of a rule at the rule', () => {
  show({ field: 'email', op: 'exists' }, true);
  expect(screen.getByRole('alert').textContent).toBe('Not so.');
});
