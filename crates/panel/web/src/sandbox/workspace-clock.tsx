import { useWhere } from '../app/here';
import { ClockLead } from '../components/clock';
import { useClock } from './clock-api';

/** Makes relative times use the clock of the workspace, which is ahead in a sandbox. */
export function WorkspaceClock({ children }: { children: React.ReactNode }) {
  const { live, inSandbox } = useWhere();
  const clock = useClock(live.id, inSandbox);
  const lead = inSandbox ? (clock.data?.ahead_seconds ?? 0) * 1000 : 0;
  return <ClockLead value={lead}>{children}</ClockLead>;
}
