import { useCallback, useState } from 'react';
import { useWhere } from '../../app/here';
import { FlowCanvas } from '../canvas/flow-canvas';
import type { Definition, Finding, NodeType, Point, TriggerType } from '../definition';
import { addNode, addTrigger, isThere, openExit } from '../graph/edit';
import { Palette } from '../palette/palette';
import type { PartProps } from '../tabs';
import { useValidation } from '../validation';
import classes from './build.module.css';
import { DraftBar } from './draft-bar';
import { FindingsBar } from './findings-bar';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';
import { useEditKeys } from './use-edit-keys';
import { useNames } from './use-names';

/** The canvas with its palette, the form of what is chosen, and what the analyser finds. */
export function Editor(part: PartProps) {
  const { workspace } = useWhere();
  const draft = useDraft(part);
  const { definition, change } = draft;
  const { search, show } = part;
  const [chosen, choose] = useState<readonly string[]>(search.node ? [search.node] : []);
  // What is chosen stands in the address, as long as it is one thing.
  const setChosen = useCallback(
    (ids: string[]) => {
      choose(ids);
      show({ node: ids.length === 1 ? ids[0] : undefined });
    },
    [show],
  );
  const selected = chosen.filter((id) => isThere(definition, id));
  const validation = useValidation(workspace.id, part.read.flow.id, definition);
  const findings = (validation.data ?? []) as unknown as Finding[];
  const names = useNames();
  const keys = useEditKeys({ draft, selected, select: setChosen });
  const onChange = useCallback((next: Definition) => change(next), [change]);

  const add = (type: NodeType, at?: Point) => {
    const from = selected.at(-1);
    const edited = addNode(definition, type, {
      after: at || !from ? undefined : openExit(definition, from),
      at,
    });
    change(edited.definition);
    setChosen([edited.id]);
  };
  const addTriggerOf = (type: TriggerType) => {
    const edited = addTrigger(definition, type);
    change(edited.definition);
    setChosen([edited.id]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is inside takes the focus
    <div className={classes.frame} onKeyDown={keys.onKeyDown}>
      <DraftBar draft={draft} selected={selected} copy={keys.copy} paste={keys.paste} />
      <div className={classes.columns}>
        <div className={classes.canvas}>
          <FlowCanvas
            definition={definition}
            onChange={onChange}
            findings={findings}
            selected={selected}
            onSelect={setChosen}
            onDropNode={add}
            names={names}
          >
            <div className={classes.palette}>
              <Palette onAdd={add} onTrigger={addTriggerOf} />
            </div>
          </FlowCanvas>
        </div>
        <SidePanel
          definition={definition}
          change={change}
          selected={selected}
          select={setChosen}
          findings={findings}
        />
      </div>
      <FindingsBar
        definition={definition}
        findings={findings}
        known={validation.isSuccess}
        onOpen={setChosen}
      />
    </div>
  );
}
