import { imports as words } from '../i18n/en/imports';

/** So many bytes are taken in by one request. */
export const MOST_BYTES = 5 * 1024 * 1024;
/** So many rows are shown before anything is done. */
const SHOWN = 3;
const MOST_COLUMNS = 200;
const SEPARATORS = [',', ';', '\t'];

/** A table of contacts as it is sent: with commas, whatever the file has. */
export interface Table {
  name: string;
  text: string;
  columns: string[];
  /** The first rows, to look at. */
  first: string[][];
  /** How many rows there are, without the line of names. */
  rows: number;
}

/** Reads a file; rejects with a sentence that says what would be right. */
export async function readFile(file: File): Promise<Table> {
  if (file.size > MOST_BYTES) throw new Error(words.tooLarge);
  return readTable(file.name, decoded(new Uint8Array(await file.arrayBuffer())));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(words.notUtf8);
  }
}

/** Reads a table that is separated by commas, semicolons or tabs. */
export function readTable(name: string, text: string): Table {
  const separator = separatorOf(text);
  const columns: string[] = [];
  const first: string[][] = [];
  const rewritten: string[] = [];
  let lines = 0;
  for (const cells of linesOf(text, separator)) {
    if (lines === 0) columns.push(...cells);
    else if (lines <= SHOWN) first.push(cells);
    if (separator !== ',') rewritten.push(cells.map(quoted).join(','));
    lines += 1;
  }
  const fault = faultOf(columns, lines);
  if (fault) throw new Error(fault);
  return {
    name,
    text: separator === ',' ? text : `${rewritten.join('\n')}\n`,
    columns,
    first,
    rows: lines - 1,
  };
}

/** Why a table cannot be taken in by anybody's choice of what its columns are. */
function faultOf(columns: string[], lines: number): string | undefined {
  if (lines < 2) return words.noRows;
  if (columns.length > MOST_COLUMNS) return words.tooManyColumns(columns.length);
  const nameless = columns.indexOf('');
  if (nameless >= 0) return words.nameless(nameless + 1);
  const twice = columns.find((it, at) => columns.indexOf(it) < at);
  return twice === undefined ? undefined : words.twice(twice);
}

/** What the line of names is separated by: the sign that it has most of. */
function separatorOf(text: string): string {
  const head = text.slice(0, 65_536).split(/\r?\n/).find(Boolean) ?? '';
  const counts = SEPARATORS.map((it) => head.split(it).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The lines of a table that are not empty (RFC 4180): each its cells. */
export function* linesOf(text: string, separator: string): Generator<string[]> {
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    cells.push(cell);
    at = end + 1;
    if (text[end] === separator) {
      if (at === text.length) cells.push('');
      continue;
    }
    if (text[end] === '\r' && text[at] === '\n') at += 1;
    if (cells.length > 1 || cell !== '') yield cells;
    cells = [];
    if (end >= text.length) return;
  }
  if (cells.length > 0) yield cells;

  function quotedCell(all: string, from: number): [string, number] {
    let close = all.indexOf('"', from + 1);
    while (close >= 0 && all[close + 1] === '"') close = all.indexOf('"', close + 2);
    if (close < 0) throw new Error(words.unclosed);
    const [rest, end] = plainCell(all, close + 1, separator);
    return [all.slice(from + 1, close).replaceAll('""', '"') + rest, end];
  }
}

function plainCell(text: string, from: number, separator: string): [string, number] {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return [text.slice(from, end), end];
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
