import { expect, test } from 'vitest';
import { added, dayOf, earliest, moved, type Step } from './steps';

const step = (id: string, delay = 'P1D'): Step => ({
  id,
  delay,
  action: { type: 'start_flow', flow_id: 'flow_1' },
});

test('adds each step after the previous one', () => {
  const found = earliest([step('a', 'P1D'), step('b', 'P2DT12H'), step('c', 'PT0S')]);
  expect(found).toEqual([86_400, 302_400, 302_400]);
  expect(found.map((it) => dayOf(it ?? 0))).toEqual([2, 4, 4]);
  expect(earliest([step('a', 'soon'), step('b')])).toEqual([undefined, undefined]);
});

test('gives a new step its own ID', () => {
  expect(added([step('step-2')]).map((it) => it.id)).toEqual(['step-2', 'step-3']);
  expect(added([])[0]?.delay).toBe('P1D');
});

test('moves steps, but not beyond the ends', () => {
  const all = [step('a'), step('b'), step('c')];
  expect(moved(all, 1, -1).map((it) => it.id)).toEqual(['b', 'a', 'c']);
  expect(moved(all, 2, 1)).toBe(all);
});
