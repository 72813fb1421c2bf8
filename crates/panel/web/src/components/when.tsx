import { useContext } from 'react';
import { ClockLead, usePresent } from './clock';
import { absolute, relative, relativePast } from './time';

interface Props {
  at: string;
  /**
   * Whether the time may be in the future, such as a due time. Otherwise a future time is shown as "just
   * now".
   */
  canBeFuture?: boolean;
  /** Whether the time ignores the clock of a sandbox: for keys, sessions, members and the usage log. */
  isRealTime?: boolean;
}

/** A relative time with the absolute time as tooltip. */
export function When({ at, canBeFuture = false, isRealTime = false }: Props) {
  const lead = useContext(ClockLead);
  const now = usePresent() + (isRealTime ? 0 : lead);
  return (
    <time dateTime={at} title={absolute(at)}>
      {canBeFuture ? relative(at, now) : relativePast(at, now)}
    </time>
  );
}
