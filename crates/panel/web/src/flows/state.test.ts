import { expect, test } from 'vitest';
import { readFlowSearch } from './search';
import { inFlight, stateOf } from './state';

test('a flow tells its state, and the version that runs', () => {
  expect(stateOf({ status: 'draft', version_published: null })).toEqual({ tone: 'off', word: 'draft' });
  expect(stateOf({ status: 'active', version_published: 3 })).toEqual({
    tone: 'ok',
    word: 'active, version 3',
  });
  expect(stateOf({ status: 'paused', version_published: 1 }).tone).toBe('wait');
});

test('what waits is in flight, too', () => {
  expect(inFlight({ active: 2, waiting: 10 })).toBe(12);
});

test('an address says no more than it may', () => {
  expect(readFlowSearch({ tab: 'json', status: 'failed', version: 2, more: 'x' })).toEqual({
    tab: 'json',
    status: 'failed',
    version: 2,
  });
  expect(readFlowSearch({ tab: 'elsewhere', version: -1, run: '' })).toEqual({});
});
