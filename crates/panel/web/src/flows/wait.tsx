import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { FlowRun } from './runs-api';

const t = texts('flow-runs');

/** The thing that a run waits for, with the time at which the wait ends. */
export function waitOf({ kind, until }: NonNullable<FlowRun['wait']>): React.ReactNode {
  if (!until) return t(`runs.waits.${kind}`);
  return t.rich(`runs.waitsUntil.${kind}`, { time: <When at={until} canBeFuture /> });
}
