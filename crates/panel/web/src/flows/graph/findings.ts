import { sentence } from '../../api/problem';
import type { Definition, Finding } from '../definition';
import { triggerId } from './graph';

/** A finding with its place in the editor. */
export interface Found {
  finding: Finding;
  /**
   * The ID of the vertex. `undefined` if the finding is about the settings, the scripts or the whole flow.
   */
  vertex: string | undefined;
  /** The rest of the pointer, relative to the node or trigger. */
  field: string;
}

/** Findings with their places. Errors are first, each in the order of the nodes. */
export function located(definition: Definition, findings: Finding[]): Found[] {
  const found = findings.map((finding) => place(definition, finding));
  const rank = ({ finding }: Found) => (finding.severity === 'error' ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function place(definition: Definition, finding: Finding): Found {
  const [, list, at, ...rest] = finding.pointer.split('/');
  const field = rest.length > 0 ? `/${rest.join('/')}` : '';
  const node = list === 'nodes' ? definition.nodes[Number(at)] : undefined;
  if (node) return { finding, vertex: node.id, field };
  if (list === 'triggers' && at !== undefined) return { finding, vertex: triggerId(Number(at)), field };
  return { finding, vertex: undefined, field: finding.pointer };
}

/** The number of errors and warnings of a vertex. */
export interface Counts {
  errors: number;
  warnings: number;
}

export function counted(found: Found[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { vertex, finding } of found) {
    if (!vertex) continue;
    const { errors, warnings } = counts.get(vertex) ?? { errors: 0, warnings: 0 };
    const isError = finding.severity === 'error';
    counts.set(vertex, { errors: errors + Number(isError), warnings: warnings + Number(!isError) });
  }
  return counts;
}

/** The first error or warning at a field of a node or trigger, or below the field. */
export function noteAt(found: Found[], field: string, severity: Finding['severity']): string | undefined {
  const isHere = (it: Found) => it.field === field || it.field.startsWith(`${field}/`);
  const here = found.find((it) => it.finding.severity === severity && isHere(it));
  if (!here) return undefined;
  const { message, hint } = here.finding;
  return [message, hint].flatMap((text) => (text ? [sentence(text)] : [])).join(' ');
}
