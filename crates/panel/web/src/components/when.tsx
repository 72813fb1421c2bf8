import { useContext } from 'react';
import { ClockLead, usePresent } from './clock';
import { absolute, relative, relativePast } from './time';
import { WholeTimes } from './whole-times';

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

/** A relative time. The absolute time is a tooltip, or follows it in `WholeTimes`. */
export function When({ at, canBeFuture = false, isRealTime = false }: Props) {
  const lead = useContext(ClockLead);
  const now = usePresent() + (isRealTime ? 0 : lead);
  const isWhole = useContext(WholeTimes);
  const text = canBeFuture ? relative(at, now) : relativePast(at, now);
  if (!isWhole) {
    return (
      <time dateTime={at} title={absolute(at)}>
        {text}
      </time>
    );
  }
  return (
    <time dateTime={at}>
      {text} <span className="dimmed">({absolute(at)})</span>
    </time>
  );
}
