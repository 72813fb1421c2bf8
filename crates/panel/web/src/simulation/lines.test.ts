import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { choicesOf, linesOf } from './lines';
import type { Moment } from './story';

const at = '2026-03-02T09:00:00Z';
const message = (text: string, more = {}) => ({
  type: 'text',
  text,
  attachments: [],
  quick_replies: [],
  template: null,
  sent: true,
  ...more,
});
const node = (node_id: string, more: { outcome?: string; [key: string]: unknown } = {}) =>
  ({
    type: 'node',
    at,
    node_id,
    outcome: 'queued',
    outcome_parts: [{ code: more.outcome ?? 'queued' }],
    exit: 'next',
    message: null,
    decision: null,
    wait: null,
    ...more,
  }) as never;
const play = (script: object[], ...trace: unknown[]) => linesOf({ script }, { trace: trace as Moment[] });

test('shows inbound and outbound messages in order', () => {
  const lines = play(
    [{ message: 'news' }, { advance: 'P3D' }],
    { type: 'entry', at, entry: 0, said: 'the contact writes: news' },
    node('sure', { message: message('Sure?', { quick_replies: [{ title: 'Yes' }, { title: 'No' }] }) }),
    { type: 'entry', at, entry: 1, said: '259200 s go by' },
  );
  expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
    ['said', 'news'],
    ['sent', 'Sure?'],
    ['fact', '3 days pass'],
  ]);
  expect(choicesOf(lines)).toEqual(['Yes', 'No']);
  expect(choicesOf(lines.slice(0, 1))).toEqual([]);
});

test('a message shows its files', () => {
  const cat = { media_id: 'media_1', url: '/api/v1/media/media_1', name: 'cat.png', mime_type: 'image/png' };
  const [line] = play([], node('cat', { message: message('', { type: 'image', attachments: [cat] }) }));
  expect(line).toMatchObject({ kind: 'sent', files: [cat] });
  const [text] = play([], node('hi', { message: message('Hi') }));
  expect(text?.files).toBeUndefined();
});

test('shows replacements by the channel', () => {
  const degraded = [
    { what: 'quick_replies', to: 'numbered_lines', reason: 'the channel has no buttons' },
    { what: 'text', to: 'split', reason: 'the text is longer than the channel allows' },
  ];
  const [line] = play([], node('which', { message: message('Which?', { degraded }) }));
  expect(line?.replaced).toBe('Quick replies as numbered lines · Text in several parts');
  const [plain] = play([], node('hi', { message: message('Hi', { degraded: [] }) }));
  expect(plain?.replaced).toBeUndefined();
});

const which = node('which', {
  outcome: 'no condition holds',
  decision: {
    weights: [],
    conditions: [
      {
        holds: false,
        comparisons: [{ field: 'custom_fields.plan', op: 'ne', value: 'gold', found: null, holds: false }],
      },
    ],
  },
});

test('shows the values that a decision found', () => {
  const lines = play([], which);
  expect(lines.map((it) => it.text)).toEqual([
    'No condition holds.',
    'custom_fields.plan ≠ “gold”: false. The value is empty.',
  ]);
  expect(lines[0]?.of).toBe('which');
});

test('shows notes, outcomes and a failure', () => {
  const lines = play(
    [],
    node('n', { outcome: 'noted', message: message('Asks for help', { type: 'note', sent: false }) }),
    node('t', { node_type: 'add_tag', outcome: 'added' }),
    {
      type: 'end',
      at,
      run_status: 'failed',
      run_error: { code: 'x', message: 'too deep', node_id: 't', path: [] },
    },
  );
  expect(lines.map(({ kind, text, bad }) => [kind, text, bad])).toEqual([
    ['note', 'Asks for help', undefined],
    ['fact', 'Add tag: added.', undefined],
    ['fact', 'The run failed. Too deep.', true],
  ]);
});

test('shows the conversation in German', () =>
  inLanguage('de', () => {
    const lines = play(
      [{ advance: 'P1D' }, { advance: 'P1DT12H' }, { event: 'order.paid' }, { message: 'Hi' }],
      { type: 'entry', at, entry: 0, said: '86400 s go by' },
      { type: 'entry', at, entry: 1, said: '129600 s go by' },
      { type: 'entry', at, entry: 2, code: 'event', said: 'event order.paid' },
      { type: 'entry', at, entry: 3, code: 'not_received', said: 'the contact has no address' },
      which,
      { type: 'end', at, run_status: null, enrollment_status: 'exited', exit_reason: 'replied' },
    );
    expect(lines.map((it) => it.text)).toEqual([
      '1 Tag vergeht',
      '1 Tag 12 Stunden vergehen',
      'Ereignis: order.paid',
      'Der Kontakt hat keine Adresse auf einem Kanal. Darum kommt keine Nachricht an.',
      'No condition holds.',
      'custom_fields.plan ≠ „gold“: falsch. Der Wert ist leer.',
      'Der Kontakt hat geantwortet und die Sequenz verlassen.',
    ]);
  }));
