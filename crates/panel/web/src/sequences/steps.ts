import type { components } from '../api/schema';
import { readSpan } from '../flows/graph/phrases';

type Schemas = components['schemas'];

/** A step in the form. */
export interface Step {
  id: string;
  delay: string;
  window?: object | null;
  action: Action;
}

export type Action =
  | { type: 'send_message'; message: Schemas['SendMessage'] }
  | { type: 'start_flow'; flow_id: string };

/** The members of a sequence that users edit, except its name. */
export interface Draft {
  steps: Step[];
  exit_on: Schemas['ExitOn'][];
  exit_when: object | null;
  reenroll: Schemas['Reenroll'];
  time_zone: Schemas['SequenceZone'];
}

export function draftOf(sequence: Schemas['Sequence']): Draft {
  const { steps, exit_on, exit_when, reenroll, time_zone } = sequence;
  return { steps: steps as unknown as Step[], exit_on, exit_when, reenroll, time_zone };
}

/** Adds a step with a unique ID at the end. */
export function added(steps: Step[]): Step[] {
  let number = steps.length + 1;
  while (steps.some((it) => it.id === `step-${number}`)) number += 1;
  const action: Action = { type: 'send_message', message: { type: 'text', text: '' } };
  return [...steps, { id: `step-${number}`, delay: 'P1D', action }];
}

/** Moves a step one place up or down. */
export function moved(steps: Step[], at: number, by: 1 | -1): Step[] {
  const [step, other] = [steps[at], steps[at + by]];
  if (!step || !other) return steps;
  return steps.map((it, place) => (place === at ? other : place === at + by ? step : it));
}

const SECONDS = { weeks: 604_800, days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;

/**
 * The earliest time of each step in seconds after the enrollment. `undefined` from the first invalid delay
 * on.
 */
export function earliest(steps: Pick<Step, 'delay'>[]): (number | undefined)[] {
  let sum: number | undefined = 0;
  return steps.map(({ delay }) => {
    const span = readSpan(delay);
    sum = span && sum !== undefined ? sum + secondsIn(span) : undefined;
    return sum;
  });
}

function secondsIn(span: NonNullable<ReturnType<typeof readSpan>>): number {
  return (Object.keys(SECONDS) as (keyof typeof SECONDS)[]).reduce(
    (sum, unit) => sum + span[unit] * SECONDS[unit],
    0,
  );
}

/** The day of a time, from 1. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / SECONDS.days) + 1;
}
