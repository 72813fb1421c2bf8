import { useMutation } from '@tanstack/react-query';
import { texts } from '../i18n/texts';
import { Confirm } from './confirm';
import { Dependents, dependentsOf } from './dependents';

const t = texts('forms');

interface Props {
  title: string;
  /** What goes with it. */
  hint: string;
  verb: string;
  /** Deletes it; with `force` though others name it. */
  remove: (force: boolean) => Promise<unknown>;
  opened: boolean;
  onClose: () => void;
  onGone: () => void;
}

/** Deletes something; where others name it, it asks once more and says which. */
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
      verb={dependents ? t('removeAnyway') : verb}
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
