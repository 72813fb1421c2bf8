import { ActionIcon, Checkbox } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useState } from 'react';
import { Code } from '../components/code';
import { DataTable } from '../components/table';
import type { EventType } from '../events/api';
import { useSchemaOf } from '../events/schema-of';
import { eventDescription } from '../i18n/event-types';
import { texts } from '../i18n/texts';
import classes from './webhooks.module.css';

const t = texts('webhooks');

interface Props {
  kind: EventType;
  checked: boolean;
  onChange: (on: boolean) => void;
}

/** An event type with its description. It expands to the fields of its data and an example. */
export function KindRow({ kind, checked, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const description = eventDescription(kind);
  return (
    <div className={classes.kind}>
      <Checkbox
        label={<code>{kind.type}</code>}
        description={kind.can_happen ? description : t('futureType', { description })}
        checked={checked}
        disabled={!kind.can_happen}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <ActionIcon
        variant={open ? 'default' : 'subtle'}
        color="gray"
        aria-label={t('showData', { type: kind.type })}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconCode size={16} />
      </ActionIcon>
      {open && (
        <div className={classes.held}>
          <Held kind={kind} />
        </div>
      )}
    </div>
  );
}

function Held({ kind }: { kind: EventType }) {
  const fields = useSchemaOf(kind);
  return (
    <>
      {fields.data && fields.data.length > 0 && (
        <>
          <p className={classes.heldHead}>{t('fields')}</p>
          <DataTable
            label={t('fields')}
            rows={fields.data}
            rowKey={(it) => it.name}
            columns={[
              { key: 'name', header: t('field'), render: (it) => <code>{it.name}</code> },
              {
                key: 'type',
                header: t('type'),
                render: (it) => <span className="dimmed">{it.type}</span>,
              },
              { key: 'says', header: t('fieldDescription'), render: (it) => it.says },
            ]}
          />
        </>
      )}
      <p className={classes.heldHead}>{t('example')}</p>
      <Code text={JSON.stringify(kind.example, null, 2)} what={t('theExample')} />
    </>
  );
}
