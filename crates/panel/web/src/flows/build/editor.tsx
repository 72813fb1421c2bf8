import { useCallback, useMemo, useState } from 'react';
import { useWhere } from '../../app/here';
import { FlowCanvas } from '../canvas/flow-canvas';
import type { Definition, Finding } from '../definition';
import { labelsOfDraft } from '../finding';
import { isThere } from '../graph/edit';
import { settled } from '../graph/fresh';
import { Palette } from '../palette/palette';
import type { PartProps } from '../tabs';
import { useValidation } from '../validation';
import classes from './build.module.css';
import { DraftState } from './draft-state';
import { EditTools } from './edit-tools';
import { FindingsBar } from './findings-bar';
import { SidePanel } from './side-panel';
import { useAdding } from './use-adding';
import { useDraft } from './use-draft';
import { useEditKeys } from './use-edit-keys';
import { useNames } from './use-names';

/** The editor of a flow: palette, canvas, form and findings. */
export function Editor(part: PartProps) {
  const { workspace } = useWhere();
  const draft = useDraft(part);
  const { definition, change } = draft;
  const { search, show } = part;
  const [chosen, choose] = useState<readonly string[]>(search.node ? [search.node] : []);
  // A single selected node is stored in the address.
  const setChosen = useCallback(
    (ids: string[]) => {
      choose(ids);
      show({ node: ids.length === 1 ? ids[0] : undefined });
    },
    [show],
  );
  const selected = chosen.filter((id) => isThere(definition, id));
  const names = useNames();
  const labels = useMemo(() => labelsOfDraft(definition, names), [definition, names]);
  const validation = useValidation(workspace.id, part.read.flow.id, definition, labels);
  const all = (validation.data ?? []) as unknown as Finding[];
  const adding = useAdding({ definition, change, selected, select: setChosen });
  const findings = useMemo(() => settled(definition, all, adding.fresh), [definition, all, adding.fresh]);
  const keys = useEditKeys({ draft, selected, select: setChosen });
  const onChange = useCallback((next: Definition) => change(next), [change]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the elements in it take the focus
    <div className={classes.frame} onKeyDown={keys.onKeyDown}>
      <DraftState draft={draft} />
      <div className={classes.columns}>
        <Palette onAdd={adding.add} onTrigger={adding.addTrigger} />
        <div className={classes.canvas}>
          <EditTools draft={draft} selected={selected} copy={keys.copy} paste={keys.paste} />
          <FlowCanvas
            definition={definition}
            onChange={onChange}
            findings={findings}
            selected={selected}
            onSelect={setChosen}
            onAdd={adding.add}
            names={names}
          />
        </div>
        <SidePanel
          definition={definition}
          change={change}
          selected={selected}
          select={setChosen}
          findings={findings}
          fresh={adding.fresh?.id}
        />
      </div>
      <FindingsBar
        definition={definition}
        findings={findings}
        known={validation.isSuccess && findings.length === all.length}
        onOpen={setChosen}
      />
    </div>
  );
}
