import { expect, test } from 'vitest';
import { filtered } from '../catalog/rows';
import {
  arranged,
  joinLink,
  type Member,
  mayChange,
  mayRemove,
  mayReset,
  type Role,
  resetLink,
  rolesToGive,
  said,
} from './rights';

function member(but: Partial<Member>): Member {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: 'user_1',
    status: 'active',
    email: 'ada@acme.example',
    name: 'Ada Lovelace',
    role: 'member',
    expires_at: null,
    created_at: at,
    updated_at: at,
    version: 1,
    ...but,
  };
}

test('only owners can change owners, and admins all other members', () => {
  expect(mayChange('admin', 'viewer', 'admin')).toBe(true);
  expect(mayChange('admin', 'member', 'owner')).toBe(false);
  expect(mayChange('admin', 'owner', 'viewer')).toBe(false);
  expect(mayChange('owner', 'owner', 'viewer')).toBe(true);
  expect(mayChange('member', 'viewer', 'member')).toBe(false);
});

test('offers only the roles that a user can assign', () => {
  expect(rolesToGive('owner')).toEqual(['viewer', 'member', 'admin', 'owner']);
  expect(rolesToGive('admin')).toEqual(['viewer', 'member', 'admin']);
  expect(rolesToGive('admin', 'owner')).toEqual([]);
  expect(rolesToGive('member')).toEqual([]);
});

test('an admin can neither remove owners nor withdraw their invitations', () => {
  expect(mayRemove('admin', member({ role: 'admin' }))).toBe(true);
  expect(mayRemove('admin', member({ role: 'owner' }))).toBe(false);
  expect(mayRemove('admin', member({ role: 'owner', status: 'invited' }))).toBe(false);
  expect(mayRemove('owner', member({ role: 'owner' }))).toBe(true);
});

test('sorts members before invitations, and by role', () => {
  const all = [
    member({ id: 'inv_1', status: 'invited', name: null, role: 'owner' }),
    member({ id: 'user_z', name: 'Zoe' }),
    member({ id: 'user_a', name: 'Alan' }),
    member({ id: 'user_o', name: 'Olga', role: 'owner' }),
  ];
  expect(arranged(all).map((it) => it.id)).toEqual(['user_o', 'user_a', 'user_z', 'inv_1']);
});

test('filters by each word in name, address and role', () => {
  const all = [
    member({ id: 'a' }),
    member({ id: 'b', name: null, email: 'grace@navy.example', role: 'admin' }),
  ];
  const ids = (text: string) =>
    filtered({ all: { data: all } as never, said }, text).data?.pages[0]?.data.map((it) => it.id);
  expect(ids('')).toEqual(['a', 'b']);
  expect(ids('LOVE')).toEqual(['a']);
  expect(ids('navy admin')).toEqual(['b']);
  expect(ids('nobody')).toEqual([]);
});

test('builds the link of an invitation to this panel', () => {
  expect(joinLink('tdg_token_a-b_c', 'https://tidings.acme.example')).toBe(
    'https://tidings.acme.example/join/tdg_token_a-b_c',
  );
});

test('permits password links for other members, and builds the link', () => {
  const someone = (id: string, role: Role, status: Member['status'] = 'active') =>
    ({ id, role, status }) as Member;
  expect(mayReset('admin', someone('user_1', 'member'), 'user_me')).toBe(true);
  expect(mayReset('admin', someone('user_1', 'owner'), 'user_me')).toBe(false);
  expect(mayReset('owner', someone('user_1', 'owner'), 'user_me')).toBe(true);
  expect(mayReset('owner', someone('user_me', 'owner'), 'user_me')).toBe(false);
  expect(mayReset('owner', someone('inv_1', 'member', 'invited'), 'user_me')).toBe(false);
  expect(resetLink({ reset_token: 't', reset_url: null }, 'https://x.example')).toBe(
    'https://x.example/reset/t',
  );
  expect(resetLink({ reset_token: 't', reset_url: 'https://y.example/reset/t' }, 'https://x.example')).toBe(
    'https://y.example/reset/t',
  );
});
