import { ActionIcon, Button, Progress, Tooltip } from '@mantine/core';
import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { texts } from '../../i18n/texts';
import { inBytes } from '../../storage/bytes';
import type { DraftFile } from '../drafts';
import { fileError } from './errors';
import classes from './picked.module.css';
import { type Running, uploads, useUploads } from './uploads';
import { MAX_FILES } from './use-picked';

const t = texts('inbox');

interface Props {
  ws: string;
  conversation: string;
  files: DraftFile[];
  /** Why files were not added. */
  refused: string[];
  /** Whether the message is being sent. */
  isSending: boolean;
  onRemove: () => void;
}

/** The files of a draft, with the progress of their uploads. */
export function PickedFiles({ ws, conversation, files, refused, isSending, onRemove }: Props) {
  const running = useUploads();
  return (
    <>
      {files.length > 0 && (
        <ul className={classes.files} aria-label={t('files.label')}>
          {files.map(({ key, name, size }) => (
            <PickedFile
              key={key}
              name={name}
              size={size}
              upload={running.get(key)}
              isDisabled={isSending}
              onRetry={() => uploads.retry(ws, conversation, key)}
              onRemove={() => {
                uploads.remove(conversation, key);
                onRemove();
              }}
            />
          ))}
        </ul>
      )}
      <Refused reasons={refused} />
    </>
  );
}

interface PickedProps {
  name: string;
  /** The size in bytes, if it is known. */
  size: number | undefined;
  /** Its upload, until it has succeeded. */
  upload: Running | undefined;
  isDisabled?: boolean;
  onRetry: () => void;
  onRemove: () => void;
}

/** A chosen file, with the progress or the error of its upload. */
export function PickedFile({ name, size, upload, isDisabled, onRetry, onRemove }: PickedProps) {
  return (
    <li className={classes.file} data-failed={upload?.error ? true : undefined}>
      <IconFile size={16} aria-hidden />
      <span className={classes.name}>{name}</span>
      {size !== undefined && <span className={classes.size}>{inBytes(size)}</span>}
      {upload?.error !== undefined && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t('files.uploadAgain', { name })}
          onClick={onRetry}
        >
          {t('tryAgain')}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('files.remove', { name })}
        disabled={isDisabled ?? false}
        onClick={onRemove}
      >
        <IconX size={14} />
      </ActionIcon>
      {upload && upload.error === undefined && (
        <Progress
          className={classes.progress}
          size="xs"
          value={upload.share * 100}
          aria-label={t('files.progress', { name })}
        />
      )}
      {upload?.error !== undefined && (
        <span className={classes.error} role="alert">
          {fileError(upload.error)}
        </span>
      )}
    </li>
  );
}

/** Why files were not added. */
export function Refused({ reasons }: { reasons: string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div className={classes.refused} role="alert">
      {reasons.map((it) => (
        <div key={it}>{it}</div>
      ))}
    </div>
  );
}

interface AttachProps {
  add: (files: File[]) => void;
  count: number;
  isSending: boolean;
  /** A visible label. Without it, the button is an icon. */
  label?: string;
}

/** A button that opens the file dialog of the browser. */
export function AttachButton({ add, count, isSending, label }: AttachProps) {
  const input = useRef<HTMLInputElement>(null);
  const isDisabled = isSending || count >= MAX_FILES;
  const choose = () => input.current?.click();
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {label ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPaperclip size={14} aria-hidden />}
          disabled={isDisabled}
          onClick={choose}
        >
          {label}
        </Button>
      ) : (
        <Tooltip label={t('files.attach')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('files.attach')}
            disabled={isDisabled}
            onClick={choose}
          >
            <IconPaperclip size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}
