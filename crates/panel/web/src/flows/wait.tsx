import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { FlowRun } from './runs-api';

const t = texts('flow-runs');

/** The reason of a wait, and the time at which it ends. */
export function waitOf({ kind, until }: NonNullable<FlowRun['wait']>): React.ReactNode {
  if (!until) return t(`runs.waits.${kind}`);
  return t.rich(`runs.waitsUntil.${kind}`, { time: <When at={until} canBeFuture /> });
}
