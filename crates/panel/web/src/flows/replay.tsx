import { useMemo } from 'react';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import type { Flow } from './api';
import { useNames } from './build/use-names';
import { FlowCanvas } from './canvas/flow-canvas';
import { asDefinition } from './definition';
import { litBy } from './graph/lit';
import classes from './runs.module.css';
import { useRun } from './runs-api';
import { useVersions } from './versions-api';

const t = texts('flow-runs');

interface Props {
  id: string;
  flow: Flow;
  /** The index of the selected step. The default is the last step. */
  at: number | undefined;
  onStep: (at: number) => void;
}

/** The path of a run on the version that it uses. */
export function Replay({ id, flow, at, onStep }: Props) {
  const { workspace } = useWhere();
  const run = useRun(workspace.id, id).data;
  const versions = useVersions(workspace.id, flow.id, flow.version_published);
  const names = useNames();
  const written = versions.data?.pages
    .flatMap((page) => page.data)
    .find((it) => it.number === run?.flow_version)?.definition;
  const definition = useMemo(() => asDefinition(written), [written]);
  const trace = run?.trace;
  const place = at ?? (trace?.length ?? 0) - 1;
  const node = trace?.[place]?.node_id;
  const lit = useMemo(
    () => litBy(definition, (trace ?? []).slice(0, place + 1), node),
    [definition, trace, place, node],
  );
  if (!written || run?.flow_id !== flow.id) return null;
  const select = ([chosen]: string[]) => {
    const found = trace?.findLastIndex((it) => it.node_id === chosen) ?? -1;
    if (found >= 0) onStep(found);
  };
  return (
    <section className={classes.replay} aria-label={t('runs.replay', { version: String(run.flow_version) })}>
      <FlowCanvas
        definition={definition}
        lit={lit}
        selected={node ? [node] : []}
        onSelect={select}
        names={names}
      />
    </section>
  );
}
