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
  /** Deletes; by force where it is known what depends on it. */
  onConfirm: (force: boolean) => void;
  onClose: () => void;
}

/** Asks once before something is deleted, and shows what depends on it where something does. */
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
