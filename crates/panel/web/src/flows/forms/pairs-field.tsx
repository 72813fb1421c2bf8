import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../../i18n/texts';
import { useSurroundings } from './context';
import classes from './forms.module.css';
import { Placeholders } from './placeholders';

const t = texts('flow-forms');

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: Record<string, string> | undefined;
  onChange: (value: Record<string, string> | undefined) => void;
  names: string;
  values: string;
  add: string;
  /** Whether the values are templates, which can use secrets. */
  template?: boolean;
}

/** Pairs of a name and a value. A row without a name is kept in the form only. */
export function PairsField({ label, hint, field, value, onChange, names, values, add, template }: Props) {
  const { marks } = useSurroundings();
  const [rows, setRows] = useState<[string, string][]>(() => Object.entries(value ?? {}));
  const mine = useRef(value);
  useEffect(() => {
    if (value === mine.current) return;
    mine.current = value;
    setRows(Object.entries(value ?? {}));
  }, [value]);
  const change = (next: [string, string][]) => {
    setRows(next);
    const named = next.filter(([name]) => name !== '');
    mine.current = named.length > 0 ? Object.fromEntries(named) : undefined;
    onChange(mine.current);
  };
  const put = (at: number, row: [string, string]) =>
    change(rows.map((it, place) => (place === at ? row : it)));
  return (
    <Input.Wrapper label={label} labelElement="div" description={hint} {...marks(field)}>
      <div className={classes.rows}>
        {rows.map(([name, text], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other stable key
          <div key={at} className={classes.row}>
            <TextInput
              aria-label={names}
              placeholder={names}
              value={name}
              onChange={(event) => put(at, [event.currentTarget.value, text])}
            />
            <TextInput
              aria-label={values}
              placeholder={values}
              value={text}
              rightSection={
                template && <Placeholders onInsert={(it) => put(at, [name, text + it])} secrets />
              }
              onChange={(event) => put(at, [name, event.currentTarget.value])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeRow')}
              onClick={() => change(rows.filter((_, place) => place !== at))}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => change([...rows, ['', '']])}
        >
          {add}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
