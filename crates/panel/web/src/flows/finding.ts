import { type Fault, sentence } from '../api/problem';
import { findingHint, findingMessage } from '../i18n/findings';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Finding } from './definition';

const t = texts('flows');

/** A finding in a list. */
export interface Told {
  severity: 'error' | 'warning';
  code: string;
  /** The pointer, relative to the definition: `/nodes/2/tag`. */
  pointer: string;
  message: string;
  hint?: string;
  alternatives: string[];
  /** The nodes that lead to it. */
  path: string[];
}

/** Removes the prefix `/definition` of the request body. */
function within(pointer: string): string {
  return pointer.replace(/^\/definition(?=\/|$)/, '');
}

function hintOf(it: Finding): string | undefined {
  const hint = findingHint(it);
  return hint && sentence(hint);
}

export function fromFindings(findings: Finding[]): Told[] {
  return findings.map((it) => ({
    severity: it.severity,
    code: it.code,
    pointer: within(it.pointer),
    message: sentence(findingMessage(it)),
    hint: hintOf(it),
    alternatives: it.did_you_mean,
    path: it.node_path,
  }));
}

export function fromFaults(faults: Fault[]): Told[] {
  return faults.map((it) => ({
    severity: 'error',
    code: it.code,
    pointer: within(it.pointer ?? ''),
    message: sentence(findingMessage(it)),
    alternatives: [],
    path: [],
  }));
}

/** "1 error and 2 warnings". */
export function countsInWords({ errors, warnings }: { errors: number; warnings: number }): string {
  const counts = [
    errors > 0 && t('errors', { count: errors }),
    warnings > 0 && t('warnings', { count: warnings }),
  ];
  return list(counts.filter((it) => it !== false));
}

export function counted(all: Told[]): { errors: number; warnings: number } {
  const errors = all.filter((it) => it.severity === 'error').length;
  return { errors, warnings: all.length - errors };
}
