import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { useBotFieldCatalog } from '../../catalog/bot-fields';
import type { Catalog, Row } from '../../catalog/catalog';
import { CreateForm } from '../../catalog/create-form';
import { useCustomFieldCatalog } from '../../catalog/fields';
import { GuardedModal } from '../../components/guarded';
import { texts } from '../../i18n/texts';
import classes from './forms.module.css';
import { useRevalidate } from './use-revalidate';

const t = texts('flow-forms');

interface Props {
  /** The key of a missing custom field, if the user entered one. */
  missing?: string;
  onCreated: (key: string) => void;
}

export function CreateCustomField(props: Props) {
  return <CreateField of={useCustomFieldCatalog()} {...props} />;
}

export function CreateBotField(props: Props) {
  return <CreateField of={useBotFieldCatalog()} {...props} />;
}

interface Keyed extends Row {
  key: string;
}

function CreateField<It extends Keyed, Draft extends { name: string; key: string }>({
  of,
  missing,
  onCreated,
}: Props & { of: Catalog<It, Draft> }) {
  const { role } = useWhere();
  const [opened, open] = useState(false);
  const revalidate = useRevalidate();
  if (!mayWrite(role)) return null;
  const fresh = missing ? { ...of.fresh, key: missing, name: nameOf(missing) } : of.fresh;
  const create = async (draft: Draft) => {
    const made = (await of.create(draft)) as It;
    onCreated(made.key);
    return made;
  };
  const close = () => open(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.create}
        leftSection={<IconPlus size={14} />}
        onClick={() => open(true)}
      >
        {missing ? t('createCustomField', { key: missing }) : of.words('create')}
      </Button>
      <GuardedModal opened={opened} onClose={close} title={of.words('create')}>
        <CreateForm
          of={{ ...of, fresh, create, refresh: () => Promise.all([of.refresh(), revalidate()]) }}
          onDone={close}
        />
      </GuardedModal>
    </>
  );
}

/** Converts a key to a name: `order_total` becomes “Order total”. */
function nameOf(key: string): string {
  const name = key.replaceAll('_', ' ').trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
