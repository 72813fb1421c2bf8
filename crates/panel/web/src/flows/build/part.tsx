import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { SandboxNotice } from '../../channels/sandbox-notice';
import { channelsOfFlow } from '../../channels/sandbox-use';
import { texts } from '../../i18n/texts';
import { FlowCanvas } from '../canvas/flow-canvas';
import { asDefinition, type Finding, isReadable } from '../definition';
import { labelsOfDraft } from '../finding';
import type { PartProps } from '../tabs';
import { useValidation } from '../validation';
import classes from './build.module.css';
import { Editor } from './editor';
import { FindingsBar } from './findings-bar';
import { useNames } from './use-names';

const t = texts('flow-editor');

/** The flow as a graph. It is editable if the window is wide enough and the user may write. */
export default function BuildPart(part: PartProps) {
  const { role } = useWhere();
  const wide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const { definition } = part.read.flow;
  const readable = useMemo(() => isReadable(definition), [definition]);
  const channels = useMemo(() => channelsOfFlow(asDefinition(definition)), [definition]);
  const hint = !mayWrite(role) ? undefined : readable ? t('needsWidth') : t('unreadable');
  return (
    <>
      <SandboxNotice of={channels} className={classes.notice} />
      {mayWrite(role) && readable && wide ? <Editor {...part} /> : <Reading {...part} hint={hint} />}
    </>
  );
}

function Reading({ read, hint }: PartProps & { hint: string | undefined }) {
  const { workspace } = useWhere();
  const definition = useMemo(() => asDefinition(read.flow.definition), [read.flow.definition]);
  const names = useNames();
  const labels = useMemo(() => labelsOfDraft(definition, names), [definition, names]);
  const validation = useValidation(workspace.id, read.flow.id, read.flow.definition, labels);
  const [selected, select] = useState<string[]>([]);
  const findings = (validation.data ?? []) as unknown as Finding[];
  return (
    <>
      {hint && <p className={classes.hint}>{hint}</p>}
      <div className={classes.frame}>
        <div className={classes.canvas}>
          <FlowCanvas
            definition={definition}
            findings={findings}
            selected={selected}
            onSelect={select}
            names={names}
          />
        </div>
        <FindingsBar
          definition={definition}
          findings={findings}
          known={validation.isSuccess}
          onOpen={select}
        />
      </div>
    </>
  );
}
