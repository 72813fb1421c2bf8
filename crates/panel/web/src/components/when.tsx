import { useContext } from 'react';
import { ClockLead, usePresent } from './clock';
import { absolute, relative, relativePast } from './time';

interface Props {
  at: string;
  /** For a time that may come, such as a due time. Otherwise a time after now is shown as "just now". */
  canBeFuture?: boolean;
  /** For a time that does not use the clock of a sandbox: keys, sessions, members and the usage log. */
  isRealTime?: boolean;
}

/** A relative time, with the absolute time on hover. */
export function When({ at, canBeFuture = false, isRealTime = false }: Props) {
  const lead = useContext(ClockLead);
  const now = usePresent() + (isRealTime ? 0 : lead);
  return (
    <time dateTime={at} title={absolute(at)}>
      {canBeFuture ? relative(at, now) : relativePast(at, now)}
    </time>
  );
}
