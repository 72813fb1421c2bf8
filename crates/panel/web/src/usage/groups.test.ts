import { expect, test } from 'vitest';
import { searchOfGroup } from './groups';
import type { LogSearch } from './search';

const group = { error_code: 'validation_failed', status: 422, method: 'POST', route: '/api/v1/contacts' };

test('links a group to its requests in the selected time span', () => {
  expect(searchOfGroup({ last: 'P1D', tab: 'errors', key_id: 'key_1' }, group)).toEqual({
    last: 'P1D',
    key_id: 'key_1',
    method: 'POST',
    route: '/api/v1/contacts',
    error_code: 'validation_failed',
  });
});

test('filters by the status class if the error code is unknown', () => {
  const { error_code, status_class } = searchOfGroup({} as LogSearch, {
    ...group,
    error_code: null,
    status: 503,
  });
  expect([error_code, status_class]).toEqual([undefined, '5xx']);
});
