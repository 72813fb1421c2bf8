import type { Row } from './api';

const BEGIN = Date.UTC(2026, 6, 24, 12);

/** A request, `second` seconds after noon. */
export function aRow(id: string, second: number): Row {
  return {
    at: new Date(BEGIN + second * 1000).toISOString(),
    key_id: null,
    user_id: null,
    method: 'GET',
    route: '/api/v1/contacts',
    status: 200,
    duration_ms: 1,
    request_id: id,
    address: '10.0.0.1',
    error_code: null,
    errors: [],
  };
}
