import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { pathOf } from './attribute-path';

/** The path as text, with names of the definition in backquotes. */
const shown = (attribute: string, type?: string) =>
  pathOf(attribute, type)
    .map(({ text, isName }) => (isName ? `\`${text}\`` : text))
    .join(' › ');

test('an attribute has the labels of the forms', () => {
  expect(shown('on_error', 'http_request')).toBe('Next steps › failed');
  expect(shown('on_timeout', 'wait_for_event')).toBe('Next steps › too late');
  expect(shown('timeout', 'ask')).toBe('Maximum wait');
  expect(shown('message.text', 'ask')).toBe('Question › Text');
  expect(shown('message.quick_replies.1.title', 'send_message')).toBe('Message › Quick replies › 2 › Title');
  expect(shown('branches.1.when.value', 'branch')).toBe('Branch 2 › Condition › Value');
  expect(shown('branches.0.next', 'branch')).toBe('Branch 1 › Next step');
  expect(shown('field', 'set_field')).toBe('Target');
  expect(shown('field', 'set_bot_field')).toBe('Bot field');
  expect(shown('settings.reentry')).toBe('Flow settings › If the contact is already in this flow');
  expect(shown('triggers.0.keywords')).toBe('Triggers › 1 › Keywords');
  expect(shown('start')).toBe('First node');
});

test('a name without a label is shown as it is', () => {
  expect(shown('headers.X-Trace.name', 'http_request')).toBe('Headers › `X-Trace.name`');
  expect(shown('body.text', 'http_request')).toBe('Body › `text`');
  expect(shown('message.subject', 'send_message')).toBe('Message › `subject`');
  expect(shown('constructor', 'end')).toBe('`constructor`');
});

test('the labels follow the language', () =>
  inLanguage('de', () => {
    expect(shown('on_error', 'http_request')).toBe('Nächste Schritte › Fehler');
    expect(shown('timeout', 'ask')).toBe('Höchstens warten');
    expect(shown('start')).toBe('Erster Knoten');
  }));
