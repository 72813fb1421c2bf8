import { texts } from '../i18n/texts';
import { Confirm } from './confirm';
import { Dependents, dependentsOf } from './dependents';

const common = texts('common');

interface Props {
  title: string;
  verb: string;
  children: React.ReactNode;
  opened: boolean;
  pending: boolean;
  error: unknown;
  /** Deletes the object. `force` is set after the dependents were shown. */
  onConfirm: (force: boolean) => void;
  onClose: () => void;
}

/** Asks before something is deleted. If other objects depend on it, shows them and asks again. */
export function ConfirmDelete({ verb, children, error, onConfirm, ...props }: Props) {
  const dependents = dependentsOf(error);
  return (
    <Confirm
      {...props}
      verb={dependents ? common('deleteAnyway') : verb}
      error={dependents ? undefined : error}
      onConfirm={() => onConfirm(dependents !== undefined)}
    >
      {children}
      {dependents && <Dependents intro={common('inUse')} all={dependents} />}
    </Confirm>
  );
}
