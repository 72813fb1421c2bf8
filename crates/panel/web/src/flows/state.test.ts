import { expect, test } from 'vitest';
import { readFlowSearch } from './search';
import { inFlight, stateOf } from './state';

test('describes the status of a flow, and its active version', () => {
  expect(stateOf({ status: 'draft', version_published: null })).toEqual({ tone: 'off', word: 'draft' });
  expect(stateOf({ status: 'active', version_published: 3 })).toEqual({
    tone: 'ok',
    word: 'active, version 3',
  });
  expect(stateOf({ status: 'paused', version_published: 1 }).tone).toBe('wait');
});

test('counts waiting runs as runs in progress', () => {
  expect(inFlight({ active: 2, waiting: 10 })).toBe(12);
});

test('reads an address, and ignores unknown values', () => {
  expect(readFlowSearch({ tab: 'json', status: 'failed', version: 2, more: 'x' })).toEqual({
    tab: 'json',
    status: 'failed',
    version: 2,
  });
  expect(readFlowSearch({ tab: 'elsewhere', version: -1, run: '' })).toEqual({});
});
