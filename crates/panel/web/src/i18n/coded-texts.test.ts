import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import contact from './en/contact';
import eventTypes from './en/event-types';
import findings from './en/findings';
import inbox from './en/inbox';
import problems from './en/problems';
import { eventDescription } from './event-types';
import { findingHint, findingMessage } from './findings';
import { errorMessage, outcomeText } from './outcomes';
import { inLanguage } from './testing';

const ROOT = '../../..';
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const document = JSON.parse(read('docs/openapi.json')) as {
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, { enum?: string[] }> };
};
const keys = (it: object) => Object.keys(it).sort();
/** The codes without a text. */
const missing = (codes: string[], texts: object) => codes.filter((it) => !(it in texts));

test('each problem code of the API has a text', () => {
  const codes = [...read('tests/openapi/wire_names.txt').matchAll(/^problem \d+ (\w+)$/gm)].map(
    ([, it]) => it ?? '',
  );
  expect(codes.length).toBeGreaterThan(50);
  expect(missing(codes, problems.codes)).toEqual([]);
});

test('each finding of the analyser has a text', () => {
  const page = read('docs/reference/flows.md').split('## Validation findings')[1] ?? '';
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, it]) => it ?? '');
  const examples = readdirSync(`${ROOT}/docs/examples/wrong`).map((it) => it.split(/[-.]/)[0] ?? '');
  expect(listed.length).toBeGreaterThan(40);
  expect(missing([...listed, ...examples], findings.codes)).toEqual([]);
});

test('each event type has a description', () => {
  expect(keys(eventTypes.types)).toEqual(keys(document.webhooks));
});

test('each reason of a message that is not sent, and of an early exit, has a text', () => {
  const { Suppression, ExitReason } = document.components.schemas;
  expect(missing(Suppression?.enum ?? ['Suppression'], contact.reasons)).toEqual([]);
  expect(missing(Suppression?.enum ?? ['Suppression'], inbox.reasons)).toEqual([]);
  expect(missing(ExitReason?.enum ?? ['ExitReason'], contact.exitReasons)).toEqual([]);
});

test('an English page shows the messages of the API', () => {
  const finding = {
    code: 'unknown_tag',
    message: 'no tag has the name or ID vip',
    hint: 'create the tag first',
  };
  expect([findingMessage(finding), findingHint(finding)]).toEqual([finding.message, finding.hint]);
  expect(errorMessage({ code: 'loop_guard', message: 'too many steps' })).toBe('too many steps');
  expect(outcomeText('suppressed: blocked')).toBe('suppressed: blocked');
  expect(eventDescription({ type: 'flow.started', description: 'A run started.' })).toBe('A run started.');
});

test('a German page translates by code, and keeps names and details', () =>
  inLanguage('de', () => {
    expect(findingMessage({ code: 'unknown_tag', message: 'no tag has the name or ID vip' })).toBe(
      'Dieses Tag gibt es nicht: vip',
    );
    expect(findingMessage({ code: 'dead_end', message: 'x leads nowhere' })).toBe(
      'Der Knoten hat keinen nächsten Knoten',
    );
    expect(findingMessage({ code: 'too_long', message: 'is too long' })).toBe('Der Text ist zu lang.');
    expect(findingMessage({ code: 'moon_phase', message: 'the moon is full' })).toBe('the moon is full');
    expect(errorMessage({ code: 'provider_failed', message: 'error 131026' })).toBe(
      'Der Anbieter konnte die Nachricht nicht zustellen: error 131026',
    );
    expect(errorMessage({ code: 'moon_phase', message: 'the moon is full' })).toBe('the moon is full');
    expect(outcomeText('already present')).toBe('bereits vorhanden');
    expect(outcomeText('suppressed: blocked')).toBe('nicht gesendet: Der Kontakt ist gesperrt');
    expect(outcomeText('waits until 2026-01-01T00:00:00.000Z')).toBe('wartet bis 2026-01-01T00:00:00.000Z');
    expect(outcomeText('something else')).toBe('something else');
    expect(eventDescription({ type: 'flow.started', description: 'A run started.' })).toBe(
      'Ein Lauf wurde gestartet',
    );
  }));
