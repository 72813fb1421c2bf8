import { expect, test } from 'vitest';
import { conversation } from './testing';
import { inverseOf, reportOf } from './undo';

const NOW = Date.parse('2026-01-10T12:00:00.000Z');
const LATER = '2026-01-10T13:00:00.000Z';

test('undo restores the status and assignee of a conversation', () => {
  const snoozed = conversation({ status: 'snoozed', snoozed_until: LATER });
  expect(inverseOf(conversation({}), { do: 'resolve' }, NOW)).toEqual({ do: 'reopen' });
  expect(inverseOf(snoozed, { do: 'reopen' }, NOW)).toEqual({ do: 'snooze', until: LATER });
  expect(inverseOf(conversation({ status: 'resolved' }), { do: 'reopen' }, NOW)).toEqual({ do: 'resolve' });
  expect(inverseOf(conversation({ assignee_id: 'user_2' }), { do: 'assign', to: 'user_1' }, NOW)).toEqual({
    do: 'assign',
    to: 'user_2',
  });
  expect(inverseOf(conversation({}), { do: 'read' }, NOW)).toBeUndefined();
});

test('a report names the contact, and reading is not reported', () => {
  expect(reportOf({ do: 'assign', to: null }, 'Ada')).toBe('Conversation with Ada unassigned');
  expect(reportOf({ do: 'read' }, 'Ada')).toBeUndefined();
});
