import { CreateForm } from '../catalog/create-form';
import { FRESH } from '../catalog/field-draft';
import { useCustomFieldCatalog } from '../catalog/fields';
import { GuardedModal } from '../components/guarded';
import { texts } from '../i18n/texts';
import type { Column } from './check';
import { proposedType } from './field-type';

const t = texts('imports');

interface Props {
  /** The column that gets a field. `undefined` while the dialog is closed. */
  column: Column | undefined;
  onClose: () => void;
  onCreated: (heading: string, key: string) => void;
}

/** Creates a custom field for a column, with a name and a type from the table. */
export function FieldDialog({ column, onClose, onCreated }: Props) {
  const catalog = useCustomFieldCatalog();
  const { heading = '', samples = [] } = column ?? {};
  const fresh = { ...FRESH, name: heading.slice(0, 100), type: proposedType(samples, heading) };
  const create = async (draft: typeof fresh) => {
    const made = (await catalog.create(draft)) as { key: string };
    onCreated(heading, made.key);
    return made;
  };
  return (
    <GuardedModal opened={column !== undefined} onClose={onClose} title={t('fieldFor', { column: heading })}>
      <CreateForm of={{ ...catalog, fresh, create }} onDone={onClose} />
    </GuardedModal>
  );
}
