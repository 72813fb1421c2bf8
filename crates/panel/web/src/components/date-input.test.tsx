import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { DateInput } from './date-input';

function Field({ timed, initial = '' }: { timed?: boolean; initial?: string }) {
  const [value, setValue] = useState(initial);
  return (
    <MantineProvider env="test">
      <DateInput label="Start" value={value} onChange={setValue} timed={timed} />
      <output>{value}</output>
    </MantineProvider>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Start' });
const value = () => screen.getByRole('status').textContent;

test('accepts a typed date when it is complete', async () => {
  render(<Field />);
  expect(field().placeholder).toBe('DD/MM/YYYY');
  await userEvent.type(field(), '5/1/202');
  expect([field().value, value()]).toEqual(['5/1/202', '']);
  await userEvent.type(field(), '6');
  expect([field().value, value()]).toEqual(['5/1/2026', '2026-01-05']);
  await userEvent.tab();
  expect(field().value).toBe('05/01/2026');
});

test('reports an invalid date when the field is left', async () => {
  render(<Field initial="2026-01-05" />);
  await userEvent.clear(field());
  await userEvent.type(field(), '31/02/2026');
  expect(screen.queryByText(/^Enter a date/)).toBeNull();
  await userEvent.tab();
  expect(screen.getByText('Enter a date as DD/MM/YYYY.')).toBeTruthy();
  expect(value()).toBe('');
});

test('a date with a time is shown in German', () =>
  inLanguage('de', async () => {
    render(<Field timed initial="2026-01-05T09:30" />);
    expect(field().value).toBe('05.01.2026 09:30');
    await userEvent.clear(field());
    await userEvent.type(field(), '6.1.2026 10:00');
    expect(value()).toBe('2026-01-06T10:00');
    expect(screen.getByRole('button', { name: 'Kalender öffnen' })).toBeTruthy();
  }));
