import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { FilterFold } from './filter-fold';
import { type Column, DataTable } from './table';

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...known,
    media: query,
    matches: query === '(max-width: 48em)',
  }));
});
const known = window.matchMedia('');
interface Flow {
  id: string;
  name: string;
  status: string;
  version: number;
}
const FLOWS: Flow[] = [
  { id: 'a', name: 'Welcome', status: 'active', version: 2 },
  { id: 'b', name: 'Booking', status: 'draft', version: 1 },
];
const COLUMNS: Column<Flow>[] = [
  { key: 'status', header: 'Status', render: (it) => it.status },
  { key: 'name', header: 'Name', isMain: true, render: (it) => it.name },
  { key: 'version', header: 'Version', render: (it) => it.version },
];

function shown(columns: Column<Flow>[], onOpen = vi.fn()) {
  render(
    <MantineProvider env="test">
      <DataTable label="Flows" columns={columns} rows={FLOWS} rowKey={({ id }) => id} onOpen={onOpen} />
    </MantineProvider>,
  );
  return onOpen;
}

test('shows a table as a list of cards on a phone, with names and values', () => {
  shown(COLUMNS);
  expect(screen.queryByRole('table')).toBeNull();
  const cards = within(screen.getByRole('list', { name: 'Flows' })).getAllByRole('listitem');
  expect(cards.map((it) => it.textContent)).toEqual([
    'WelcomeStatusactiveVersion2',
    'BookingStatusdraftVersion1',
  ]);
});

test('opens cards by keyboard and by a click', async () => {
  const onOpen = shown(COLUMNS);
  await userEvent.tab();
  await userEvent.keyboard('j');
  expect(document.activeElement?.textContent).toContain('Booking');
  await userEvent.keyboard('{Enter}');
  expect(onOpen).toHaveBeenLastCalledWith(FLOWS[1]);
  await userEvent.click(screen.getByText('Welcome'));
  expect(onOpen).toHaveBeenLastCalledWith(FLOWS[0]);
});

test('keeps a table with two columns', () => {
  shown(COLUMNS.slice(0, 2));
  expect(screen.getAllByRole('row')).toHaveLength(3);
});

test('shows filters behind one button on a phone', () =>
  inLanguage('de', async () => {
    render(
      <MantineProvider env="test">
        <FilterFold set={['active', undefined, '2026-01-01']}>
          <input aria-label="Status" />
        </FilterFold>
      </MantineProvider>,
    );
    const button = screen.getByRole('button', { name: 'Filter (2)' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByLabelText('Status')).toBeNull();
    await userEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByLabelText('Status')).toBeTruthy();
  }));
