import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { Dependents, dependentsOf } from '../components/dependents';
import { texts } from '../i18n/texts';
import { type Flow, useDeleteFlow } from './api';
import { inFlight } from './state';

const t = texts('flows');

interface Props {
  flow: Flow;
  opened: boolean;
  onClose: () => void;
  onGone: () => void;
}

/** Asks before a flow is deleted. If other objects use it, shows them and asks again. */
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
      title={t('deleteTitle', { name: flow.name })}
      verb={dependents ? t('deleteAnyway') : t('removeVerb')}
      opened={opened}
      pending={remove.isPending}
      error={dependents ? null : remove.error}
      onClose={close}
      onConfirm={() => remove.mutate(dependents !== undefined, { onSuccess: onGone })}
    >
      {t('removeHint', { count: inFlight(flow.stats) })}
      {dependents && <Dependents intro={t('inUse')} all={dependents} />}
    </Confirm>
  );
}
