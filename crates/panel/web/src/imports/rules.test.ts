import { expect, test } from 'vitest';
import type { components } from '../api/schema';
import { inLanguage } from '../i18n/testing';
import { needsOf, parametersOf, targetOf } from './decisions';
import { expectedOf } from './expected';
import { proposedType } from './field-type';
import { formatName, formatOptions, reading } from './formats';
import { reasonText, rowMessage, tableMessage } from './messages';
import { reasonsOf, recordsOf } from './rejected';
import { recall, remember } from './remembered';
import { checkOf, column, REVENUE } from './testing';

const check = (columns: ReturnType<typeof column>[]) => checkOf(new Request('http://x.example/'), columns);

test('converts decisions to parameters, and sends a target once', () => {
  const decisions = {
    Umsatz: { target: 'custom_fields.revenue', format: 'number:1.234,5' },
    Notes: { target: '-', format: 'text' },
    Mail: { target: 'email' },
    Mail2: { target: 'email' },
    Elsewhere: { target: 'phone' },
  };
  expect(parametersOf(decisions, ['Umsatz', 'Notes', 'Mail', 'Mail2'])).toEqual([
    { name: 'column', value: 'Umsatz:custom_fields.revenue' },
    { name: 'format', value: 'Umsatz:number:1.234,5' },
    { name: 'column', value: 'Notes:-' },
    { name: 'column', value: 'Mail:email' },
  ]);
  const repeated = { Ort: { target: '-' }, Stadt: { target: 'tags' } };
  expect(parametersOf(repeated, ['Ort', 'Ort', 'Stadt', 'Stadt'])).toEqual([
    { name: 'column', value: 'Ort:-' },
  ]);
});

test('a column with a clear target needs no decision', () => {
  const columns = [
    column('email', { target: 'email' }),
    column('created_at', { state: 'skipped' }),
    column('Name', { state: 'superseded', target: 'name', other_columns: ['First name'] }),
    column('Mobile', { state: 'conflict', target: 'phone', other_columns: ['Phone'] }),
    column('#5', { state: 'unknown' }),
    column('twice', { state: 'unknown' }),
    column('twice', { state: 'unknown' }),
  ];
  expect(needsOf(check(columns), {}, true)).toEqual([
    undefined,
    undefined,
    undefined,
    'conflict',
    'target',
    'repeated',
    'repeated',
  ]);
  expect(columns.slice(0, 4).map((it) => targetOf(it, {}))).toEqual(['email', '-', '-', undefined]);
});

test('a decided column needs no decision until the next check, then what that check reports', () => {
  const columns = [column('Umsatz', { state: 'given', target: 'custom_fields.x', format: 'number:1234.5' })];
  const problems = [{ column: 'Umsatz', code: 'invalid_format', message: 'x' }];
  const decisions = { Umsatz: { target: 'custom_fields.x', format: 'date:dd/mm/yyyy' } };
  expect(needsOf({ ...check(columns), problems }, decisions, false)).toEqual([undefined]);
  expect(needsOf({ ...check(columns), problems }, decisions, true)).toEqual(['problem']);
});

test('remembers the last 20 tables by their headings, in any order', () => {
  localStorage.clear();
  const any = () => true;
  const among = [
    { format: 'date:dd/mm/yyyy', failing: 0, example: { line: 2, value: 'secret', read_as: 'x' } },
  ];
  remember('ws', ['a', 'b'], { a: { target: 'email', format: 'text', among } });
  expect(JSON.stringify(localStorage)).not.toContain('secret');
  expect(recall('ws', ['b', 'a'], any)).toEqual({ a: { target: 'email', format: 'text' } });
  expect(recall('ws', ['line', 'column', 'code', 'message', 'a', 'b'], any)).toEqual({
    a: { target: 'email', format: 'text' },
  });
  expect(recall('ws', ['a', 'b'], (it) => it !== 'email')).toEqual({});
  const refusal = { target: 'subscribed', format: 'yes_no:inverted' };
  remember('ws', ['c', 'd'], { c: { target: 'subscribed', format: 'yes_no' }, d: refusal });
  expect(recall('ws', ['c', 'd'], any), 'consent is asked for again').toEqual({ d: refusal });
  expect(recall('other', ['a', 'b'], any)).toEqual({});
  for (let at = 0; at < 20; at += 1) remember('ws', [`${at}`], { [`${at}`]: { target: '-' } });
  expect(recall('ws', ['a', 'b'], any)).toEqual({});
  expect(recall('ws', ['0'], any)).toEqual({ 0: { target: '-' } });
  localStorage.setItem('tidings-import-columns-ws', '{');
  expect(recall('ws', ['0'], any)).toEqual({});
});

test('names formats by examples, and describes values in words', () => {
  expect(formatName('date:dd/mm/yyyy')).toBe('31/05/2026');
  expect(formatName('date_time:yyyy-mm-dd+zone')).toBe('2026-05-31 18:00 +02:00');
  expect(formatName('list:;')).toBe('Separated by semicolons');
  expect(formatName('list:,')).toBe('Separated by commas');
  expect(formatName('list::::')).toBe('Separated by :::');
  expect(formatName('phone:DE')).toBe('Germany');
  expect(formatName('phone')).toBe('With + or 00');
  expect(formatName('full_name:last_first')).toBe('Last name first: Lovelace Ada');
  expect(reading('2026-04-03', 'date:dd/mm/yyyy')).toBe('3 April 2026');
  expect(reading('2026-04-03T18:00:00+02:00', 'date_time:dd/mm/yyyy+zone')).toBe('3 April 2026 at 18:00');
  expect(reading('1234.5', 'number:1.234,5')).toBe('1,234.5');
  expect(reading('a|b', 'list:;')).toBe('a and b');
  expect(reading('yes', 'yes_no')).toBe('yes');
  const kinds = ['number', 'yes_no', 'date', 'date_time', 'list', 'choices', 'phone', 'full_name'] as const;
  const values = kinds.map((kind) => formatOptions(kind).flatMap((it) => ('items' in it ? it.items : [it])));
  expect(values.map((it) => it.length)).toEqual([8, 2, 9, 27, 6, 6, 247, 2]);
});

test('a translated page shows valid values of a column', () => {
  const plan = { ...REVENUE, key: 'plan', type: 'select', options: ['Gold', 'Silber'] };
  const fields = [REVENUE, plan] as unknown as components['schemas']['CustomField'][];
  const revenue = column('Umsatz', { target: 'custom_fields.revenue', format: 'number:1.234,5' });
  expect(expectedOf(revenue, fields)).toBeUndefined();
  return inLanguage('de', () => {
    const expected = (target: string, format: string) => expectedOf(column('x', { target, format }), fields);
    expect(expectedOf(revenue, fields)).toBe('Passende Werte sind zum Beispiel: 1.234,5');
    expect(expected('custom_fields.plan', 'choice')).toMatch(/: Gold oder Silber$/);
    expect(expected('email', 'text')).toMatch(/: ada@example\.com$/);
    expect(expected('phone', 'phone:DE')).toMatch(/: \+49 30 1234567$/);
    expect(expected('subscribed', 'yes_no:inverted')).toMatch(/: ja oder nein, /);
    expect(expected('first_name', 'text')).toBeUndefined();
    expect(expectedOf(column('Notiz', { state: 'unknown' }), fields)).toBeUndefined();
  });
});

test('selects a type for a new field that fits all samples', () => {
  const type = (...samples: string[]) => proposedType(samples);
  expect([type(), type('a', '1'), type('ja', 'NEIN'), type('1.234,50', '12')]).toEqual([
    'text',
    'text',
    'boolean',
    'number',
  ]);
  expect([type('03/04/2026'), type('2026-04-03 18:00'), type('a@b.example')]).toEqual([
    'date',
    'datetime',
    'email',
  ]);
  expect([type('https://x.example'), type('+49 30 1234567'), type('007')]).toEqual(['url', 'phone', 'text']);
});

test('proposes text for digits that are codes, such as postal codes', () => {
  const type = (heading: string) => proposedType(['10115', '80331'], heading);
  const texts = ['PLZ', 'ZIP', 'Postal code', 'Código postal', 'CEP', 'Hausnummer', 'Vertrag Nr.', 'Tax ID'];
  expect(texts.filter((it) => type(it) !== 'text')).toEqual([]);
  const numbers = ['Umsatz', 'Number of orders', 'Schuhgröße', 'Precept', ''];
  expect(numbers.filter((it) => type(it) !== 'number')).toEqual([]);
});

test('distinguishes reasons for a row from reasons for the table', () =>
  inLanguage('de', () => {
    const empty = { code: 'required', message: 'all are empty' };
    expect(rowMessage(empty)).toMatch(/^Externe ID, E-Mail und Telefon sind leer/);
    expect(tableMessage(empty)).toMatch(/^Die Datei hat keine Überschriften/);
    expect(rowMessage({ code: 'wrong_number_of_cells', message: 'x' })).toMatch(/mehr Zellen/);
    expect(reasonText('', 'required', 'x')).toBe(rowMessage(empty));
    expect(reasonText('E-Mail', 'contact_exists', 'x')).toMatch(/bereits einen Kontakt/);
    const email = 'expected an email address such as ada@example.com';
    expect(reasonText('E-Mail', 'invalid_value', email)).toBe(
      'Erwartet wird eine E-Mail-Adresse wie ada@example.com.',
    );
  }));

test('groups rejected rows by column and code, without an incomplete last line', () => {
  expect(recordsOf('a,"b,""c""\nd"\r\n1,\r\n')).toEqual([
    ['a', 'b,"c"\nd'],
    ['1', ''],
  ]);
  const table =
    'line,column,code,message,x\r\n2,A,bad,is bad,1\r\n3,A,bad,is bad too,1\r\n4,,required,empty,\r\n5,B,ba';
  expect(reasonsOf(table, false)).toEqual([
    { column: 'A', code: 'bad', isSkipped: false, count: 2, line: '2', message: 'is bad' },
    { column: '', code: 'required', isSkipped: false, count: 1, line: '4', message: 'empty' },
  ]);
});
