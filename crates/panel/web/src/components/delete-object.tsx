import { useMutation } from '@tanstack/react-query';
import { texts } from '../i18n/texts';
import { Confirm } from './confirm';
import { Dependents, dependentsOf } from './dependents';

const t = texts('forms');

interface Props {
  title: string;
  /** The effect of the deletion on other objects. */
  hint: string;
  verb: string;
  /** Deletes the object, with `force` even if other objects use it. */
  remove: (force: boolean) => Promise<unknown>;
  opened: boolean;
  onClose: () => void;
  onGone: () => void;
}

/** Asks before an object is deleted. If other objects use it, shows them and asks again. */
export function DeleteObject({ title, hint, verb, remove, opened, onClose, onGone }: Props) {
  const removal = useMutation({ mutationFn: remove });
  const dependents = dependentsOf(removal.error);
  const close = () => {
    removal.reset();
    onClose();
  };
  return (
    <Confirm
      title={title}
      verb={dependents ? t('deleteAnyway') : verb}
      opened={opened}
      pending={removal.isPending}
      error={dependents ? null : removal.error}
      onClose={close}
      onConfirm={() =>
        removal.mutate(dependents !== undefined, {
          onSuccess: () => {
            close();
            onGone();
          },
        })
      }
    >
      {hint}
      {dependents && <Dependents intro={t('inUse')} all={dependents} />}
    </Confirm>
  );
}
