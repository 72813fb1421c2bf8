import { expect, test } from 'vitest';
import { changes, type Draft, differences, rebased } from './draft';

const BASE: Draft = {
  name: 'Acme',
  time_zone: 'UTC',
  default_country: 'DE',
  assign_on_reply: true,
  plan: 'pro',
  opt_out_words: ['AVMELD'],
};

test('only what changed is sent, without spaces around it', () => {
  expect(changes(BASE, BASE)).toEqual({});
  expect(changes(BASE, { ...BASE, name: ' Acme ' })).toEqual({});
  expect(changes(BASE, { ...BASE, name: 'Acme GmbH ', time_zone: 'Europe/Berlin' })).toEqual({
    name: 'Acme GmbH',
    time_zone: 'Europe/Berlin',
  });
  expect(changes(BASE, { ...BASE, opt_out_words: ['AVMELD'] })).toEqual({});
  expect(changes(BASE, { ...BASE, opt_out_words: [] })).toEqual({ opt_out_words: [] });
  expect(changes(BASE, { ...BASE, assign_on_reply: false, default_country: null })).toEqual({
    assign_on_reply: false,
    default_country: null,
  });
});

test('what another changed stands beside what one changed oneself', () => {
  const mine: Draft = { ...BASE, name: 'Acme GmbH' };
  const theirs: Draft = { ...BASE, name: 'Acme AG', time_zone: 'Europe/Zurich' };
  expect(differences(BASE, mine, theirs)).toEqual([
    { field: 'name', was: 'Acme', theirs: 'Acme AG', mine: 'Acme GmbH' },
    { field: 'time_zone', was: 'UTC', theirs: 'Europe/Zurich', mine: undefined },
  ]);
  expect(differences(BASE, mine, BASE)).toEqual([]);
  const cleared: Draft = { ...BASE, default_country: null };
  expect(differences(BASE, cleared, { ...BASE, default_country: 'AT' })).toEqual([
    { field: 'default_country', was: 'DE', theirs: 'AT', mine: null },
  ]);
});

test('saving mine keeps what the other changed and I did not', () => {
  const mine: Draft = { ...BASE, name: 'Acme GmbH' };
  const theirs: Draft = { ...BASE, name: 'Acme AG', time_zone: 'Europe/Zurich' };
  const next = rebased(BASE, mine, theirs);
  expect(next).toEqual({ ...BASE, name: 'Acme GmbH', time_zone: 'Europe/Zurich' });
  expect(changes(theirs, next)).toEqual({ name: 'Acme GmbH' });
});
