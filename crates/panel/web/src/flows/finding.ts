import { type Fault, sentence } from '../api/problem';
import { findingHint, findingMessage, nodesMessage } from '../i18n/findings';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import { asDefinition, type Finding } from './definition';
import type { Names } from './graph/summary';
import { labelInWords, labelsOf, type NodeLabels } from './node-labels';

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

/** The labels of a draft, or none if it contains JSON that cannot be described. */
export function labelsOfDraft(draft: unknown, names: Names): NodeLabels {
  try {
    return labelsOf(asDefinition(draft), { nodes: [] }, names)[0];
  } catch {
    return new Map();
  }
}

/** A node in a line, as on the canvas. Without a label it is the ID. */
export function nodeInWords(id: string, labels: NodeLabels): string {
  const label = labels.get(id);
  return label ? labelInWords(label) : id;
}

/** The message in the language of the page, with nodes as on the canvas. */
function messageOf(it: Finding | Fault, labels: NodeLabels): string {
  return sentence(nodesMessage(it, (id) => nodeInWords(id, labels)) ?? findingMessage(it));
}

/** Findings of a definition with these nodes. */
export function fromFindings(findings: Finding[], labels: NodeLabels): Told[] {
  return findings.map((it) => ({
    severity: it.severity,
    code: it.code,
    pointer: within(it.pointer),
    message: messageOf(it, labels),
    hint: hintOf(it),
    alternatives: it.did_you_mean,
    path: it.node_path,
  }));
}

/** Findings of an error response about a definition with these nodes. */
export function fromFaults(faults: Fault[], labels: NodeLabels): Told[] {
  return faults.map((it) => ({
    severity: 'error',
    code: it.code,
    pointer: within(it.pointer ?? ''),
    message: messageOf(it, labels),
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
