/** The undo history of a state. */
export interface History<State> {
  past: State[];
  present: State;
  future: State[];
  /** The subject of the last change. Further changes with the same subject join the same undo step. */
  about?: string;
}

const MOST = 200;

export function begin<State>(present: State): History<State> {
  return { past: [], present, future: [] };
}

/**
 * Records a new state. Consecutive changes of one subject, such as typing in one field, are undone together.
 */
export function record<State>(history: History<State>, present: State, about?: string): History<State> {
  if (present === history.present) return history;
  const joins = about !== undefined && about === history.about;
  const past = joins ? history.past : [...history.past, history.present].slice(-MOST);
  return { past, present, future: [], about };
}

export function undo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const last = past.at(-1);
  return last === undefined
    ? history
    : { past: past.slice(0, -1), present: last, future: [present, ...future] };
}

export function redo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: rest };
}
