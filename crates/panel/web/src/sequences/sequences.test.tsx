import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { page } from '../flows/testing';
import { emptyLists, problem, serve, show } from '../settings/testing';
import type { Sequence } from './api';
import { EnrollmentsPart } from './enrollments';
import { SequenceForm } from './form';
import { Sequences } from './list';

const AT = '2026-01-01T00:00:00.000Z';
const SEQUENCE: Sequence = {
  id: 'seq_1',
  name: 'First week',
  status: 'active',
  steps: [
    {
      id: 'hello',
      delay: 'P1D',
      window: { from: '09:00', to: '12:00' },
      action: { type: 'send_message', message: { type: 'text', text: 'Good morning' } },
    },
  ] as never,
  exit_on: ['reply'],
  exit_when: null,
  reenroll: 'never',
  time_zone: 'contact',
  created_at: AT,
  updated_at: AT,
  version: 1,
};
const AROUND = {
  ...emptyLists('flows', 'tags', 'custom-fields', 'bot-fields', 'channels'),
};

test('lists sequences with their duration', async () => {
  serve({ 'GET /api/v1/sequences': () => page(SEQUENCE) });
  show(<Sequences />);
  const rows = await screen.findAllByRole('row');
  expect(rows[1]?.textContent).toMatch(/^First weekactive1on day 2/);
});

test('adds a step, and shows its API errors at the fields', async () => {
  const saved = vi.fn();
  serve({
    ...AROUND,
    'PATCH /api/v1/sequences/seq_1': (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return problem(422, 'validation_failed', 'Parts are wrong.', [
        { pointer: '/steps/1/action/message/text', code: 'blank', message: 'must not be blank' },
      ]);
    },
  });
  show(<SequenceForm read={{ sequence: SEQUENCE, etag: '"1-a"' }} />);
  await screen.findByText('1 day after the enrollment, 09:00–12:00');
  await userEvent.click(screen.getByRole('button', { name: 'Add step' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
  await screen.findByText('Must not be blank.');
  const [body, etag] = saved.mock.calls[0] as [{ steps: { id: string }[] }, string];
  expect([Object.keys(body), body.steps.map((it) => it.id), etag]).toEqual([
    ['steps'],
    ['hello', 'step-2'],
    '"1-a"',
  ]);
});

test('a sequence names the deleted objects that block it', async () => {
  serve(AROUND);
  const lost_references = [
    { type: 'tag', name: 'VIP', at: AT },
    { type: 'custom_field', name: 'plan', at: AT },
  ];
  show(<SequenceForm read={{ sequence: { ...SEQUENCE, lost_references }, etag: '"1-a"' }} />);
  await screen.findByText(/tag “VIP”, custom field “plan”$/);
});

test('a live sequence on a sandbox channel warns in the editor', async () => {
  const channels = page({ id: 'chan_1', name: 'Sandbox', kind: 'sandbox', is_default: true });
  serve({ ...AROUND, 'GET /api/v1/channels': () => channels });
  show(<SequenceForm read={{ sequence: SEQUENCE, etag: '"1-a"' }} />);
  expect(await screen.findByText(/^Messages on “Sandbox” reach no contact/)).toBeTruthy();
});

test('a sequence without enrollments offers to enroll a contact', async () => {
  serve({ 'GET /api/v1/sequences/seq_1/enrollments': () => page(), 'GET /api/v1/contacts': () => page() });
  show(<EnrollmentsPart sequence={SEQUENCE} search={{}} show={() => undefined} />);
  await screen.findByText('No enrollments yet');
  await userEvent.click(screen.getByRole('button', { name: /^Enroll/ }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
});

test('pauses an enrollment from its details', async () => {
  const held = vi.fn();
  const enrollment = {
    id: 'enr_1',
    contact_id: 'contact_1',
    sequence_id: 'seq_1',
    status: 'active',
    step_id: 'hello',
    next_run_at: AT,
    steps_done: [],
    exit_reason: null,
    error: null,
    enrolled_by: { type: 'user' },
    ended_at: null,
    created_at: AT,
    updated_at: AT,
    version: 1,
  };
  serve({
    'GET /api/v1/sequences/seq_1/enrollments': () => page(enrollment),
    'GET /api/v1/contacts/contact_1': () => ({ id: 'contact_1', name: 'Ada' }),
    'POST /api/v1/contacts/contact_1/sequences/seq_1/pause': () => {
      held();
      return { ...enrollment, status: 'paused' };
    },
  });
  show(<EnrollmentsPart sequence={SEQUENCE} search={{ open: 'enr_1' }} show={() => undefined} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(held).toHaveBeenCalledOnce());
});
