import { ActionIcon, TextInput, Title, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './page.module.css';

interface Props {
  name: string;
  /** The labels of the button and the field. */
  labels: { rename: string; field: string };
  /** Saves the new name. Absent for users who may only read. */
  onRename?: (name: string) => void;
  error?: string;
}

/** An editable heading. Enter saves the name, Escape cancels. */
export function EditableName({ name, labels, onRename, error }: Props) {
  const [text, setText] = useState<string>();
  const save = () => {
    const meant = text?.trim();
    setText(undefined);
    if (meant && meant !== name) onRename?.(meant);
  };
  if (text !== undefined) {
    return (
      <TextInput
        className={classes.rename}
        aria-label={labels.field}
        autoFocus
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setText(undefined);
        }}
      />
    );
  }
  return (
    <span className={classes.named}>
      <Title order={1} className={classes.name}>
        {name}
      </Title>
      {onRename && (
        <Tooltip label={labels.rename}>
          <ActionIcon variant="subtle" color="gray" aria-label={labels.rename} onClick={() => setText(name)}>
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {error && (
        <span className={classes.fault} role="alert">
          {error}
        </span>
      )}
    </span>
  );
}
