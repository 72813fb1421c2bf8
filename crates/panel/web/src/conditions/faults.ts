import { type Fault, Problem, sentence } from '../api/problem';
import { faultMessage } from '../i18n/problems';
import type { Places } from './model';

/**
 * The API's messages for rules and groups, by ID. A pointer into the condition belongs to the nearest rule or
 * group around it. `at` is the pointer of the condition in the body.
 */
export function faultsByRule(error: unknown, places: Places, at: string): Record<string, string> {
  if (!(error instanceof Problem)) return {};
  const found: Record<string, string> = {};
  for (const fault of error.faults) {
    const id = ownerOf(fault, places, at);
    if (id) found[id] ??= sentence(faultMessage(fault));
  }
  return found;
}

function ownerOf({ pointer }: Fault, places: Places, at: string): string | undefined {
  if (pointer === undefined || !(pointer === at || pointer.startsWith(`${at}/`))) return undefined;
  const inner = pointer.slice(at.length);
  const around = places.filter((it) => inner === it.pointer || inner.startsWith(`${it.pointer}/`));
  return around.reduce<Places[number] | undefined>(
    (best, it) => (!best || it.pointer.length >= best.pointer.length ? it : best),
    undefined,
  )?.id;
}
