import { ActionIcon, Input } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import { Attachments } from '../inbox/files/attachments';
import { type Attached, shownOf } from './attached';
import { FileZone } from './file-zone';
import classes from './files-field.module.css';
import { UploadFiles } from './upload-files';
import { useFiles } from './use-files';

const t = texts('inbox');

interface Props {
  value: Attached[];
  onChange: (attachments: Attached[]) => void;
  error?: string | undefined;
  readOnly?: boolean | undefined;
  /** The field of the text, above the files. */
  children?: React.ReactNode;
}

/**
 * The text and the files of a message that is sent later. Each file has a preview. Files are chosen, dropped on the
 * fields, or pasted into them.
 */
export function FilesField({ value, onChange, error, readOnly, children }: Props) {
  const files = useFiles(value, onChange, readOnly);
  return (
    <FileZone files={files}>
      {children}
      {(!readOnly || value.length > 0) && (
        <Input.Wrapper label={t('files.label')} labelElement="div" error={error}>
          {value.length > 0 && (
            <ul className={classes.files} aria-label={t('files.label')}>
              {value.map((it, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a message can have the same file twice
                <li key={`${at} ${it.media_id ?? it.url}`}>
                  <StoredFile
                    attachment={it}
                    onRemove={readOnly ? undefined : () => onChange(value.filter((_, index) => index !== at))}
                  />
                </li>
              ))}
            </ul>
          )}
          {!readOnly && <UploadFiles files={files} />}
        </Input.Wrapper>
      )}
    </FileZone>
  );
}

interface StoredProps {
  attachment: Attached;
  onRemove?: (() => void) | undefined;
}

/** An attachment with a preview, and a button that removes it. */
export function StoredFile({ attachment, onRemove }: StoredProps) {
  const name = attachment.name ?? attachment.url ?? t('attachment');
  return (
    <div className={classes.file}>
      <Attachments of={[shownOf(attachment)]} />
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('files.remove', { name })} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </div>
  );
}
