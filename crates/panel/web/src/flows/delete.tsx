import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Dependents, dependentsOf } from '../components/dependents';
import { en } from '../i18n/en';
import { type Flow, useDeleteFlow } from './api';
import { inFlight } from './state';

const words = en.flows;

interface Props {
  flow: Flow;
  opened: boolean;
  onClose: () => void;
  onGone: () => void;
}

/** Deletes a flow; where others name it, it asks once more and says which. */
export function DeleteFlow({ flow, opened, onClose, onGone }: Props) {
  const { workspace } = useWhere();
  const remove = useDeleteFlow(workspace.id, flow.id);
  const dependents = dependentsOf(remove.error);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      title={words.removeTitle(flow.name)}
      verb={dependents ? words.removeAnyway : words.removeVerb}
      opened={opened}
      pending={remove.isPending}
      error={dependents ? null : remove.error}
      onClose={close}
      onConfirm={() => remove.mutate(dependents !== undefined, { onSuccess: onGone })}
    >
      {words.removeHint(inFlight(flow.stats))}
      {dependents && <Dependents intro={words.inUse} all={dependents} />}
    </Confirm>
  );
}
