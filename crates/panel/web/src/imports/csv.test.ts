import { expect, test } from 'vitest';
import { linesOf, MOST_BYTES, readFile, readTable } from './csv';

const lines = (text: string, separator = ',') => [...linesOf(text, separator)];

test('cells in quotes have separators, quotes and line ends', () => {
  const text = 'name,notes\r\n"Ada, Countess","said ""hello""\nand left"\r\n\r\nGrace,\n';
  expect(lines(text)).toEqual([
    ['name', 'notes'],
    ['Ada, Countess', 'said "hello"\nand left'],
    ['Grace', ''],
  ]);
  expect(lines('a,b\n1,')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
  expect(lines('a\n1')).toEqual([['a'], ['1']]);
  expect(lines('')).toEqual([]);
});

test('a table with commas is sent as it is, one with semicolons or tabs with commas', () => {
  const comma = 'email,first_name\nada@x.example,Ada\n';
  expect(readTable('a.csv', comma)).toMatchObject({ text: comma, columns: ['email', 'first_name'], rows: 1 });
  const semicolon = readTable('a.csv', 'E-Mail;Note\nada@x.example;"one, two"\n');
  expect(semicolon.columns).toEqual(['E-Mail', 'Note']);
  expect(semicolon.text).toBe('E-Mail,Note\nada@x.example,"one, two"\n');
  expect(readTable('a.csv', 'email\tname\nada@x.example\tAda').text).toBe('email,name\nada@x.example,Ada\n');
});

test('the first three rows are shown, and all are counted', () => {
  const { first, rows } = readTable('a.csv', `email\n${'ada@x.example\n'.repeat(9)}`);
  expect([first.length, rows]).toEqual([3, 9]);
});

test('a file is read without the mark of its encoding', async () => {
  const file = new File(['\uFEFFemail\nada@x.example\n'], 'a.csv');
  expect((await readFile(file)).columns).toEqual(['email']);
});

test('what cannot be taken in says what would be right', async () => {
  const wrong = (text: string) => () => readTable('a.csv', text);
  expect(wrong('email\n')).toThrow('no rows');
  expect(wrong('email,\nada@x.example,\n')).toThrow('Column 2 has no name');
  expect(wrong('email,email\na,b\n')).toThrow('Two columns are called “email”');
  expect(wrong('email\n"ada')).toThrow('never closed');
  expect(wrong(`${'a,'.repeat(200)}b\n1\n`)).toThrow('201 columns');
  await expect(readFile(new File([new Uint8Array([0x65, 0xff, 0x0a])], 'a.csv'))).rejects.toThrow('UTF-8');
  await expect(readFile(new File([new Uint8Array(MOST_BYTES + 1)], 'a.csv'))).rejects.toThrow('5 MiB');
});
