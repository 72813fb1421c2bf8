/** A range of a text. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The range of the value that a pointer (RFC 6901) names in a JSON text, otherwise of the nearest value
 * around it. The text must be well-formed.
 */
export function locate(text: string, pointer: string): Span {
  const wanted = pointer
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = 0;
  let found: Span = { from: 0, to: text.length };

  const blank = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const string = (): string => {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(from, at)) as string;
  };
  /** Reads a value. `depth` is the number of matching pointer segments, or `undefined` beside the path. */
  const value = (depth: number | undefined): void => {
    blank();
    const from = at;
    const open = text[at];
    if (open === '{' || open === '[') {
      at += 1;
      let index = 0;
      for (blank(); at < text.length && text[at] !== '}' && text[at] !== ']'; blank()) {
        let key = String(index);
        if (open === '{') {
          key = string();
          blank();
          at += 1;
        }
        const onWay = depth !== undefined && wanted[depth] === key;
        value(onWay ? depth + 1 : undefined);
        index += 1;
        blank();
        if (text[at] === ',') at += 1;
      }
      at += 1;
    } else if (open === '"') {
      string();
    } else {
      while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1;
    }
    if (depth !== undefined && depth > reached) {
      reached = depth;
      found = { from, to: at };
    }
  };
  let reached = 0;
  value(0);
  return found;
}

/** The line of an offset in a text, from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
