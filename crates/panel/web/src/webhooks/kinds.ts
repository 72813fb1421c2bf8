/** All event types, including types of later versions. */
export const ALL = '*';

/** The event types of one subject, such as `contact`. */
export interface Group<Kind> {
  subject: string;
  kinds: Kind[];
}

/** Groups event types by subject, in the order of the catalogue. */
export function grouped<Kind extends { type: string }>(kinds: Kind[]): Group<Kind>[] {
  const groups = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const subject = kind.type.split('.')[0] ?? kind.type;
    groups.set(subject, [...(groups.get(subject) ?? []), kind]);
  }
  return [...groups].map(([subject, all]) => ({ subject, kinds: all }));
}

/** Adds or removes event types, and keeps the order of the catalogue. */
export function toggled(chosen: string[], kinds: string[], on: boolean, catalogue: string[]): string[] {
  const next = new Set(chosen.filter((it) => it !== ALL));
  for (const kind of kinds) {
    if (on) next.add(kind);
    else next.delete(kind);
  }
  const known = catalogue.filter((it) => next.has(it));
  return [...known, ...[...next].filter((it) => !catalogue.includes(it))];
}

/** Whether all, some or none of these event types are selected. */
export function shareOf(chosen: string[], kinds: string[]): 'all' | 'some' | 'none' {
  const count = chosen.includes(ALL) ? kinds.length : kinds.filter((it) => chosen.includes(it)).length;
  if (count === 0) return 'none';
  return count === kinds.length ? 'all' : 'some';
}
