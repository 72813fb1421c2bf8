import type { Column, ImportCheck, Parameter, Proposal } from './check';

/** The target of a column that is not imported. */
export const SKIP = '-';
/** Targets that find existing contacts. */
export const IDENTIFIERS = ['external_id', 'email', 'phone'];

/** The user's decision about a column. */
export interface Decision {
  target?: string;
  format?: string;
  /** The formats that the user chose from, to show the question again. */
  among?: Proposal[];
}

/** Decisions by heading. */
export type Decisions = Record<string, Decision>;

/** The reason why a column needs a decision. */
export type Need =
  | 'target'
  | 'confirm'
  | 'conflict'
  | 'duplicate'
  | 'repeated'
  | 'format'
  | 'country'
  | 'problem';

/**
 * The parameters of a check for some decisions. A target that another column has is not sent, because the
 * page reports it. Columns with the same heading can only be skipped, all at once.
 */
export function parametersOf(decisions: Decisions, headings: string[]): Parameter[] {
  const found: Parameter[] = [];
  const taken = new Set<string>();
  for (const heading of new Set(headings)) {
    const { target, format } = decisions[heading] ?? {};
    if ((isRepeated(heading, headings) && target !== SKIP) || (target && taken.has(target))) continue;
    if (target && target !== SKIP) taken.add(target);
    if (target) found.push({ name: 'column', value: `${heading}:${target}` });
    if (format && target !== SKIP) found.push({ name: 'format', value: `${heading}:${format}` });
  }
  return found;
}

/** The target of a column: as decided, otherwise as the check matched it. `undefined` without a decision. */
export function targetOf(column: Column, decisions: Decisions): string | undefined {
  const decided = decisions[column.heading]?.target;
  if (decided) return decided;
  if (column.state === 'given' || column.state === 'matched') return column.target ?? SKIP;
  return column.state === 'skipped' || column.state === 'superseded' ? SKIP : undefined;
}

/**
 * The decision that each column needs, or `undefined` if it needs none. If `isCurrent` is set, the check is
 * about these decisions. An earlier check does not cover columns that were decided since.
 */
export function needsOf(check: ImportCheck, decisions: Decisions, isCurrent: boolean): (Need | undefined)[] {
  const headings = check.columns.map((it) => it.heading);
  const decided = headings.map((heading) => decisions[heading]?.target);
  return check.columns.map((column, at) => {
    const target = targetOf(column, decisions);
    const isDuplicate = target !== SKIP && decided[at] !== undefined && decided.indexOf(target) < at;
    if (isDuplicate) return isRepeated(column.heading, headings) ? 'repeated' : 'duplicate';
    if (target === undefined) return openTarget(column, headings);
    if (target === SKIP || (decisions[column.heading] && !isCurrent)) return undefined;
    return formatNeed(check, column, decisions[column.heading]);
  });
}

function openTarget({ heading, state }: Column, headings: string[]): Need {
  if (isRepeated(heading, headings)) return 'repeated';
  if (state === 'conflict') return 'conflict';
  return state === 'proposed' ? 'confirm' : 'target';
}

function formatNeed(check: ImportCheck, column: Column, decision: Decision | undefined): Need | undefined {
  if (column.proposals.length > 0) return 'format';
  const isNational = column.failures.some((it) => it.code === 'missing_country_code');
  if (isNational && !decision?.format) return 'country';
  return check.problems.some((it) => it.column === column.heading) ? 'problem' : undefined;
}

/** Whether an import has a column that identifies existing contacts. */
export function hasIdentifier(check: ImportCheck, decisions: Decisions): boolean {
  return check.columns.some((it) => IDENTIFIERS.includes(targetOf(it, decisions) ?? SKIP));
}

export function isRepeated(heading: string, headings: string[]): boolean {
  return headings.indexOf(heading) !== headings.lastIndexOf(heading);
}
