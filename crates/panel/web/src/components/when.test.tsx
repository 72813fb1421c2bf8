import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClockLead } from './clock';
import { Details } from './details';
import { When } from './when';

const START = Date.parse('2026-01-10T12:00:00.000Z');
const SECOND = 1000;
const DAY = 86_400 * SECOND;
const after = (ms: number) => new Date(START + ms).toISOString();

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});

test('updates a time that is shown long after the page was loaded', () => {
  render(<When at={after(0)} />);
  vi.setSystemTime(START + 33 * SECOND);
  render(<When at={after(33 * SECOND)} canBeFuture />);
  expect(screen.getAllByText('just now')).toHaveLength(2);
});

test('never shows a past time in the future if the clock of the server is ahead', () => {
  render(<When at={after(33 * SECOND)} />);
  expect(screen.getByRole('time').textContent).toBe('just now');
});

test('shows a due time in the future, and then as overdue', () => {
  render(<When at={after(60 * SECOND)} canBeFuture />);
  expect(screen.getByRole('time').textContent).toBe('in 1 minute');
  act(() => void vi.advanceTimersByTime(120 * SECOND));
  expect(screen.getByRole('time').textContent).toBe('1 minute ago');
});

test('updates times at once when the tab is shown again', () => {
  render(<When at={after(0)} />);
  vi.setSystemTime(START + 2 * 3600 * SECOND);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.getByRole('time').textContent).toBe('2 hours ago');
});

test('times of a sandbox use its clock, except those of the real time', () => {
  render(
    <ClockLead value={7 * DAY}>
      <When at={after(6 * DAY)} />
      <When at={after(-3 * DAY)} isRealTime />
    </ClockLead>,
  );
  expect(screen.getAllByRole('time').map((it) => it.textContent)).toEqual(['yesterday', '3 days ago']);
});

test('details show the date beside the relative time', () => {
  render(<Details rows={[['Created', <When key="at" at={after(-3 * DAY)} />]]} />);
  expect(screen.getByRole('time').textContent).toMatch(/^3 days ago \(.*2026.*\)$/);
});
