import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { findings } from './findings';
import type { Where } from './here';
import { administers, type Place, type Role } from './places';

const where = (role: Role) => ({ live: { id: 'ws_1' }, role, administers: administers(role) }) as Where;
const ID = '01h455vb4pex5vsknk084sn02q';

test('an ID opens the page where the object is edited', () => {
  const target = (id: string, role: Role = 'owner') => {
    const [found] = findings(`${id}_${ID}`, where(role), []);
    return found && [found.to, found.search];
  };
  expect(target('hook')).toEqual([`/webhooks/hook_${ID}`, undefined]);
  expect(target('chan')).toEqual(['/channels', { channel: `chan_${ID}` }]);
  expect(target('job')).toEqual(['/developers/jobs', { job: `job_${ID}` }]);
  expect(target('reply')).toEqual(['/settings/saved-replies', { open: `reply_${ID}` }]);
  expect(target('hook', 'member')).not.toEqual([`/webhooks/hook_${ID}`, undefined]);
});

test('offers only permitted actions', () => {
  const actions = (role: Role) => findings('add a', where(role), []).map((it) => it.label);
  expect(actions('owner')).toEqual(['Add a channel', 'Add a secret']);
  expect(actions('member')).toEqual(['Add a channel']);
  expect(actions('viewer')).toEqual([]);
});

test('finds settings by name, and shows their pages', () => {
  const found = (text: string) => findings(text, where('member'), []).map((it) => [it.label, it.hint, it.to]);
  expect(found('time zone')).toEqual([['Time zone', 'Workspace', '/settings/workspace']]);
  expect(found('langu')).toEqual([['Language', 'Profile', '/settings/profile']]);
  expect(found('').some(([label]) => label === 'Language')).toBe(false);
});

test('the search also works in German', async () => {
  await inLanguage('de', () => {
    expect(findings(`key_${ID}`, where('owner'), []).map((it) => it.label)).toEqual([`key_${ID} öffnen`]);
    expect(findings('einladen', where('owner'), []).map((it) => it.label)).toEqual(['Mitglied einladen']);
    expect(findings('sprache', where('viewer'), []).map((it) => it.hint)).toEqual(['Profil']);
    const other = { live: { id: 'ws_2', name: 'Other', deleted_at: '2026-11-05T11:00:00.000Z' } } as Place;
    expect(findings('other', where('owner'), [other]).map((it) => it.label)).toEqual([
      'Zu Other wechseln (gelöscht)',
    ]);
  });
});
