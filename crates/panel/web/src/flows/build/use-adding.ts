import { useState } from 'react';
import type { Definition, NodeType, TriggerType } from '../definition';
import { addNode, addTrigger, type Edited, openExit, type Place } from '../graph/edit';
import { type Fresh, itemOf } from '../graph/fresh';

interface Adding {
  definition: Definition;
  change: (next: Definition) => void;
  selected: readonly string[];
  select: (ids: string[]) => void;
}

/** Adds nodes and triggers. The last added one is `fresh` while it is selected. */
export function useAdding({ definition, change, selected, select }: Adding) {
  const [last, setLast] = useState<Fresh>();
  const isSelected = selected.length === 1 && selected[0] === last?.id;
  if (last && !isSelected) setLast(undefined);
  const put = ({ definition: next, id }: Edited) => {
    change(next);
    select([id]);
    setLast({ id, blank: itemOf(next, id) });
  };
  const add = (type: NodeType, place?: Place) => {
    const from = selected.at(-1);
    put(addNode(definition, type, place ?? { after: from ? openExit(definition, from) : undefined }));
  };
  return {
    fresh: isSelected ? last : undefined,
    add,
    addTrigger: (type: TriggerType) => put(addTrigger(definition, type)),
  };
}
