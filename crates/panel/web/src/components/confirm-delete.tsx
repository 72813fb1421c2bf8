import { en } from '../i18n/en';
import { Confirm } from './confirm';
import { Dependents, dependentsOf } from './dependents';

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
      verb={dependents ? en.inUse.verb : verb}
      error={dependents ? undefined : error}
      onConfirm={() => onConfirm(dependents !== undefined)}
    >
      {children}
      {dependents && <Dependents intro={`${en.inUse.title}. ${en.inUse.hint}`} all={dependents} />}
    </Confirm>
  );
}
