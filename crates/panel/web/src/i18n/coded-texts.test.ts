import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiMessage, MESSAGES } from './api-messages';
import apiMessages from './en/api-messages';
import audit from './en/audit';
import common from './en/common';
import contact from './en/contact';
import eventTypes from './en/event-types';
import findings from './en/findings';
import inbox from './en/inbox';
import outcomes from './en/outcomes';
import problems from './en/problems';
import { eventDescription } from './event-types';
import { expectationMessage, findingHint, findingMessage } from './findings';
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
  const codes = [...read('tests/service/openapi/wire_names.txt').matchAll(/^problem \d+ (\w+)$/gm)].map(
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

test('each outcome of a step has a text', () => {
  const page = read('docs/reference/flows.md').split('## Outcomes of steps')[1] ?? '';
  const table = page.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` \|.*\| (.*)\|$/gm)];
  const codes = (valued: boolean) =>
    rows.filter((it) => (it[2]?.trim() !== '') === valued).map((it) => it[1] ?? '');
  expect(rows.length).toBeGreaterThan(50);
  expect(missing(codes(false), outcomes.outcomes)).toEqual([]);
  expect(missing(codes(true), outcomes.valued)).toEqual([]);
});

test('each error of a run and each reason in an outcome has a text', () => {
  const folders = ['flows', 'sequences'].map((it) => `crates/domain/src/${it}`);
  const files = folders.flatMap((it) =>
    readdirSync(`${ROOT}/${it}`, { recursive: true, encoding: 'utf8' }).map((path) => `${it}/${path}`),
  );
  const sources = files.filter((it) => it.endsWith('.rs') && !it.includes('tests')).map(read);
  const pattern =
    /(?:::failed|return failed|return refused|Begun::Not|skipped|Skipped\.with|Failed\.with)\(\s*"(\w+)"/g;
  const codes = sources.flatMap((it) => [...it.matchAll(pattern)].map(([, code]) => code ?? ''));
  expect(codes.length).toBeGreaterThan(20);
  expect(missing(codes, { ...outcomes.errors, ...contact.reasons })).toEqual([]);
});

test('each error of a bulk operation has a text', () => {
  const page = read('docs/reference/segments.md').split('**Lost references.**')[1] ?? '';
  const [listed = ''] = page.split('\n- ');
  const codes = [...listed.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, it]) => it ?? '');
  expect(codes.length).toBeGreaterThan(6);
  expect(missing(codes, outcomes.errors)).toEqual([]);
});

test('each attribute of the audit log has a text', () => {
  const folder = 'crates/domain/src';
  const sources = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.rs') && !path.includes('tests'))
    .map((path) => read(`${folder}/${path}`));
  const attributes = sources.flatMap((it) =>
    [...it.matchAll(/\.(?:shown|withheld)\("(\w+)"/g)].map(([, name]) => name ?? ''),
  );
  expect(attributes.length).toBeGreaterThan(60);
  expect(missing(attributes, { ...common.attributeNames, ...audit.attributeNames })).toEqual([]);
});

test('each failure of an expectation has a text', () => {
  const page = read('docs/reference/flows.md');
  const [, listed = ''] = /A failed expectation has a\s+`code` \(([^)]+)\)/.exec(page) ?? [];
  const codes = [...listed.matchAll(/`(\w+)`/g)].map(([, it]) => it ?? '');
  expect(codes.length).toBe(keys(findings.expectations).length);
  expect(missing(codes, findings.expectations)).toEqual([]);
});

test('each event type has a description', () => {
  expect(keys(eventTypes.types)).toEqual(keys(document.webhooks));
});

test('each reason of a message that is not sent, and of an early exit, has a text', () => {
  const { Suppression, ExitReason } = document.components.schemas;
  expect(missing(Suppression?.enum ?? ['Suppression'], contact.reasons)).toEqual([]);
  expect(missing(Suppression?.enum ?? ['Suppression'], inbox.reasons)).toEqual([]);
  expect(
    missing(ExitReason?.enum ?? ['ExitReason'], { ...common.exitReasons, ...contact.exitReasons }),
  ).toEqual([]);
});

test('each message without a code exists in the server with the same English text', () => {
  const folders = ['domain', 'channels', 'egress'].map((it) => `crates/${it}/src`);
  const sources = folders.flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.rs') && !path.includes('tests'))
      .map((path) => read(`${folder}/${path}`)),
  );
  // Some messages begin with "expected", which is in the text of a function.
  const written = sources.join('\n').replaceAll(/\{\w*\}/g, '*');
  const isWritten = (it: string) =>
    written.includes(`"${it}`) || written.includes(`"${it.replace('expected ', '')}"`);
  expect(Object.values(MESSAGES).filter((it) => !isWritten(it))).toEqual([]);
  const english = Object.entries(apiMessages.messages).map(([key, it]) => [
    key,
    it.replace('{{value}}', '*'),
  ]);
  expect(Object.fromEntries(english)).toEqual(MESSAGES);
});

const suppressed = {
  outcome: 'suppressed: blocked',
  outcome_parts: [{ code: 'suppressed', params: { reason: 'blocked' } }],
};
const waits = {
  outcome: 'waits until 2026-01-01T00:00:00.000Z',
  outcome_parts: [{ code: 'waits_until', params: { until: '2026-01-01T00:00:00.000Z' } }],
};

test('an English page shows the messages of the API', () => {
  const finding = {
    code: 'unknown_tag',
    message: 'no tag has the name or ID vip',
    params: { name: 'vip' },
    hint: 'create the tag first',
  };
  expect([findingMessage(finding), findingHint(finding)]).toEqual([finding.message, finding.hint]);
  expect(errorMessage({ code: 'loop_guard', message: 'too many steps' })).toBe('too many steps');
  expect(outcomeText(suppressed)).toBe('not sent: The contact is blocked');
  expect(eventDescription({ type: 'flow.started', description: 'A run started.' })).toBe('A run started.');
});

test('a German page translates by code, and keeps names and details', () =>
  inLanguage('de', () => {
    const tag = { code: 'unknown_tag', message: 'is unknown', params: { name: 'vip' } };
    expect(findingMessage(tag)).toBe('Dieses Tag gibt es nicht: vip');
    const host = { code: 'secret_not_for_host', message: 'x', params: { name: 'KEY', host: 'a.example' } };
    expect(findingMessage(host)).toBe(
      'Das Geheimnis darf nicht an diesen Host gesendet werden: KEY und a.example',
    );
    const params = { script: 'A', failure: 'tag_missing', expected: 'vip' };
    expect(findingMessage({ code: 'expectation_failed', message: 'x', params })).toBe(
      'Skript „A“: Der Kontakt hat das Tag vip nicht. Seine Tags: leer',
    );
    expect(expectationMessage({ code: 'moon_phase', message: 'the moon is full' })).toBe('the moon is full');
    expect(findingMessage({ code: 'dead_end', message: 'x leads nowhere' })).toBe(
      'Der Knoten hat keinen nächsten Knoten',
    );
    expect(findingMessage({ code: 'too_long', message: 'is too long' })).toBe('Der Text ist zu lang.');
    expect(findingMessage({ code: 'moon_phase', message: 'the moon is full' })).toBe('the moon is full');
    expect(errorMessage({ code: 'provider_failed', message: 'error 131026' })).toBe(
      'Der Anbieter konnte die Nachricht nicht zustellen: error 131026',
    );
    expect(errorMessage({ code: 'unreachable', message: 'error 30005' })).toBe(
      'Der Empfänger ist nicht erreichbar: error 30005',
    );
    expect(errorMessage({ code: 'moon_phase', message: 'the moon is full' })).toBe('the moon is full');
    expect(outcomeText({ outcome: 'x', outcome_parts: [{ code: 'already_present' }] })).toBe(
      'bereits vorhanden',
    );
    expect(outcomeText(suppressed)).toBe('nicht gesendet: Der Kontakt ist gesperrt');
    expect(outcomeText(waits, () => 'morgen')).toBe('wartet bis morgen');
    const parts = [{ code: 'call_answered', params: { status: '200' } }, { code: 'queued' }];
    expect(outcomeText({ outcome: 'x', outcome_parts: parts })).toBe('Antwort: 200; eingereiht');
    const branch = { code: 'branch_matches', params: { branch: '0' } };
    expect(outcomeText({ outcome: 'x', outcome_parts: [branch] })).toBe(
      'die Bedingung von Zweig 1 trifft zu',
    );
    const failed = { code: 'failed', params: { reason: 'call_refused', detail: 'answered 404' } };
    expect(outcomeText({ outcome: 'x', outcome_parts: [failed] })).toBe(
      'fehlgeschlagen: Die Antwort hatte einen Fehlerstatus',
    );
    const again = { code: 'asked_again', params: { detail: 'expected one of: Red, Green' } };
    expect(outcomeText({ outcome: 'x', outcome_parts: [again] })).toBe(
      'ungültig, noch einmal gefragt: erwartet wird eines von: Red, Green',
    );
    expect(apiMessage('The provider answered 503, expected 200 to 299.')).toBe(
      'Der Anbieter antwortete mit 503, erwartet wird 200 bis 299.',
    );
    expect(apiMessage('no complete response arrived in time')).toBe(
      'Es kam rechtzeitig keine vollständige Antwort an.',
    );
    expect(apiMessage('at most 20 characters')).toBe('höchstens 20 Zeichen');
    expect(apiMessage('The moon is full.')).toBe('The moon is full.');
    expect(outcomeText({ outcome: 'something else', outcome_parts: [] })).toBe('something else');
    expect(outcomeText({ outcome: 'x', outcome_parts: [{ code: 'moon_phase' }] })).toBe('x');
    expect(eventDescription({ type: 'flow.started', description: 'A run started.' })).toBe(
      'Ein Lauf wurde gestartet',
    );
  }));
