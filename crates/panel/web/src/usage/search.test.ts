import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import {
  filterCount,
  filtersOf,
  isRequestId,
  type LogSearch,
  readLogSearch,
  spanOf,
  wholeSpanOf,
  withoutFilters,
} from './search';

const NOW = Date.parse('2026-07-24T12:00:00.000Z');
const ID = 'req_01h455vb4pex5vsknk084sn02q';
const FULL: LogSearch = {
  last: 'P7D',
  from: '2026-07-24T10:00:00.000Z',
  to: '2026-07-24T11:00:00.000Z',
  status_class: '4xx',
  method: 'POST',
  route: '/api/v1/contacts/{id}',
  key_id: 'key_01h455vb4pex5vsknk084sn02q',
  error_code: 'validation_failed',
  request_id: ID,
  open: ID,
  tab: 'errors',
};

test('reads the same values from an address that it wrote', () => {
  const there = (search: LogSearch) => readLogSearch(defaultParseSearch(defaultStringifySearch(search)));
  expect(there(FULL)).toEqual(FULL);
  expect(there({})).toEqual({});
  expect(there({ ...FULL, method: undefined, tab: undefined })).not.toHaveProperty('method');
});

test('ignores invalid values in an address', () => {
  const read = readLogSearch({
    last: 'P9Y',
    from: 'yesterday',
    to: 12,
    status_class: '6xx',
    method: '',
    route: 7,
    tab: 'other',
    ws: 'ws_1',
    else: 'x',
  });
  expect(read).toEqual({});
  expect(readLogSearch({ last: 'toString' })).toEqual({});
});

test('requests calls by keys, unless another caller, key or request is selected', () => {
  expect(filtersOf({})).toEqual({ caller: 'key' });
  expect(filtersOf({ by: 'people' })).toEqual({ caller: 'person' });
  expect(filtersOf({ by: 'everybody' })).toEqual({});
  expect(filtersOf({ request_id: ID })).toEqual({ request_id: ID });
  expect(filterCount({ by: 'everybody' })).toBe(1);
});

test('counts filters, and a selected time span as one', () => {
  expect(Object.keys(filtersOf(FULL))).toHaveLength(6);
  expect(filterCount(FULL)).toBe(7);
  expect(filterCount({ last: 'P1D', open: ID, tab: 'errors' })).toBe(0);
});

test('clears filters, and keeps other parts of the address', () => {
  expect(withoutFilters({ ...FULL, ws: 'ws_1' } as LogSearch)).toEqual({
    last: 'P7D',
    open: ID,
    tab: 'errors',
    ws: 'ws_1',
  });
});

test('uses an hour, the given duration, or the selected time span', () => {
  expect(spanOf({}, NOW)).toEqual({ from: '2026-07-24T11:00:00.000Z' });
  expect(spanOf({ last: 'P1D' }, NOW)).toEqual({ from: '2026-07-23T12:00:00.000Z' });
  expect(spanOf({ ...FULL, request_id: undefined }, NOW)).toEqual({ from: FULL.from, to: FULL.to });
  expect(spanOf({ from: FULL.from }, NOW)).toEqual({ from: FULL.from, to: undefined });
  expect(spanOf({ to: FULL.to }, NOW)).toEqual({ from: FULL.from, to: FULL.to });
});

test('finds a request of any time by its ID', () => {
  expect(spanOf(FULL, NOW)).toEqual({});
  expect(wholeSpanOf(FULL, NOW)).toEqual({
    from: '2026-06-24T12:00:00.000Z',
    to: '2026-07-24T12:00:00.000Z',
  });
});

test('recognises request IDs', () => {
  expect(
    [ID, 'req_abc', ID.toUpperCase(), `${ID}0`, 'key_01h455vb4pex5vsknk084sn02q'].map(isRequestId),
  ).toEqual([true, false, false, false, false]);
});
