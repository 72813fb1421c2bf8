import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { number } from './format';
import { language } from './language';
import { inLanguage } from './testing';
import { texts } from './texts';

const t = texts('inbox');
const login = texts('login');
const contact = texts('contact');

test('fills in parameters, and formats numbers by the language', async () => {
  expect(t('replyPlaceholder', { name: 'Ada' })).toBe('Write to Ada …');
  expect(t('capped', { count: 10_000 })).toBe('10,000+');
  await inLanguage('de', () => {
    expect(t('replyPlaceholder', { name: 'Ada' })).toBe('An Ada schreiben …');
    expect(t('capped', { count: 10_000 })).toBe('10.000+');
    expect(number(1234.5)).toBe('1.234,5');
  });
  expect(language()).toBe('en');
});

test('uses the plural forms of the language', async () => {
  const all = () => [0, 1, 2, 1_200].map((count) => t('newBelow', { count }));
  expect(all()).toEqual(['0 new messages', '1 new message', '2 new messages', '1,200 new messages']);
  await inLanguage('de', () =>
    expect(all()).toEqual([
      '0 neue Nachrichten',
      '1 neue Nachricht',
      '2 neue Nachrichten',
      '1.200 neue Nachrichten',
    ]),
  );
});

test('shows a value unchanged, even if it looks like a placeholder or markup', () => {
  for (const name of ['{{count}}', '$t(title)', '<b>&amp;</b>', '$&', '{{name}}']) {
    expect(t('replyPlaceholder', { name })).toBe(`Write to ${name} …`);
  }
});

test('finds no text for an unknown value of the API', () => {
  expect(t.find('reasons', 'blocked')).toBe('the contact is blocked');
  expect(t.find('events', 'contact.tag_added')).toBe('Tag added');
  expect(t.find('reasons', 'moon_phase')).toBeUndefined();
  expect(t.find('reasons', null)).toBeUndefined();
});

test('a group includes the common texts that it does not replace', () => {
  expect([t('cancel'), t('statuses.failed')]).toEqual(['Cancel', 'failed']);
  expect(t.find('statuses', 'sent')).toBe('sent');
  expect([t('send'), contact('send')]).toEqual(['Send', 'Send message']);
});

test('an element can be a parameter', () => {
  const { container } = render(<p>{login.rich('joinBy', { name: <b>Ada</b> })}</p>);
  expect(container.innerHTML).toBe('<p>Invited by <b>Ada</b>.</p>');
  const text = t.rich('notSent', { text: '\u{F8FF}1\u{F8FF}', name: <i>Ada</i>, reason: 'x' });
  expect(render(<p>{text}</p>).container.innerHTML).toBe('<p>Not sent: “1”, <i>Ada</i>: x</p>');
});

test('fails on a missing key', () => {
  expect(() => t('nothing' as 'title')).toThrow('No text for the key "nothing"');
});

test('types reject unknown keys and wrong parameters', () => {
  const rejected = () => {
    // @ts-expect-error: no such key
    t('nothing');
    // @ts-expect-error: `name` is missing
    t('replyPlaceholder');
    // @ts-expect-error: `name` is missing
    t('replyPlaceholder', {});
    // @ts-expect-error: there is no parameter
    t('replyPlaceholder', { name: 'Ada', age: 36 });
    // @ts-expect-error: the text has no parameters
    t('title', { name: 'Ada' });
    // @ts-expect-error: a plural needs its count
    t('newBelow');
    // @ts-expect-error: a count is a number
    t('newBelow', { count: '3' });
    // @ts-expect-error: the form of a plural is not chosen by hand
    t('newBelow_one', { count: 1 });
    // @ts-expect-error: texts below have parameters
    t.find('done', 'resolve');
    // @ts-expect-error: there are no keys below
    t.find('title', 'x');
    // @ts-expect-error: this group is not converted, or does not exist
    texts('nothing')('title');
  };
  expect(rejected).toBeTypeOf('function');
});
