import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { texts } from '../i18n/texts';
import { headersOf, type Line, linesOf } from './draft';
import classes from './webhooks.module.css';

const t = texts('webhooks');
/** The most headers that the API accepts. */
const MOST = 20;
const EXAMPLE = { name: 'Authorization', value: 'Bearer …' };

interface Props {
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
  error?: string;
}

/** Edits headers as lines with a name and a value. */
export function HeadersField({ value, onChange, error }: Props) {
  const [lines, setLines] = useState(() => linesOf(value));
  // Discarded changes or another user's save replace the typed lines.
  useEffect(() => {
    setLines((now) => (JSON.stringify(headersOf(now)) === JSON.stringify(value) ? now : linesOf(value)));
  }, [value]);
  const change = (next: Line[]) => {
    setLines(next);
    onChange(headersOf(next));
  };
  const set = (id: number, part: Partial<Line>) =>
    change(lines.map((it) => (it.id === id ? { ...it, ...part } : it)));
  return (
    <Input.Wrapper
      label={t('headers')}
      description={t('headersHint')}
      labelElement="div"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      error={error}
    >
      <div>
        {lines.map((line) => (
          <div key={line.id} className={classes.header}>
            <TextInput
              aria-label={t('name')}
              placeholder={EXAMPLE.name}
              autoComplete="off"
              spellCheck={false}
              value={line.name}
              onChange={(event) => set(line.id, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('value')}
              placeholder={EXAMPLE.value}
              autoComplete="off"
              spellCheck={false}
              value={line.value}
              onChange={(event) => set(line.id, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('removeHeader', { name: line.name })}
              onClick={() => change(lines.filter((it) => it.id !== line.id))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        {lines.length < MOST && (
          <Button
            variant="default"
            size="xs"
            mt="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() =>
              setLines([...lines, { id: Math.max(-1, ...lines.map((it) => it.id)) + 1, name: '', value: '' }])
            }
          >
            {t('addHeader')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
