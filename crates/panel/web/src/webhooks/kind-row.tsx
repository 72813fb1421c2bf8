import { ActionIcon, Checkbox } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useState } from 'react';
import { Code } from '../components/code';
import { DataTable } from '../components/table';
import type { EventType } from '../events/api';
import { useSchemaOf } from '../events/schema-of';
import { en } from '../i18n/en';
import classes from './webhooks.module.css';

const words = en.webhooks;

interface Props {
  kind: EventType;
  checked: boolean;
  onChange: (on: boolean) => void;
}

/** One kind: when it happens, and on demand what its data holds, with an example. */
export function KindRow({ kind, checked, onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className={classes.kind}>
      <Checkbox
        label={<code>{kind.type}</code>}
        description={kind.can_happen ? kind.description : `${kind.description} (${words.notYet})`}
        checked={checked}
        disabled={!kind.can_happen}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <ActionIcon
        variant={open ? 'default' : 'subtle'}
        color="gray"
        aria-label={words.show(kind.type)}
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
          <p className={classes.heldHead}>{words.fields}</p>
          <DataTable
            label={words.fields}
            rows={fields.data}
            rowKey={(it) => it.name}
            columns={[
              { key: 'name', header: words.field, render: (it) => <code>{it.name}</code> },
              { key: 'type', header: words.type, render: (it) => <span className="dimmed">{it.type}</span> },
              { key: 'says', header: words.says, render: (it) => it.says },
            ]}
          />
        </>
      )}
      <p className={classes.heldHead}>{words.example}</p>
      <Code text={JSON.stringify(kind.example, null, 2)} what={words.theExample} />
    </>
  );
}
