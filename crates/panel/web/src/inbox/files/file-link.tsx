import { Loader } from '@mantine/core';
import { IconDownload, IconFile } from '@tabler/icons-react';
import { useRef } from 'react';
import { Problem } from '../../api/problem';
import { useWhere } from '../../app/here';
import { told } from '../../components/failure';
import { texts } from '../../i18n/texts';
import { inBytes } from '../../storage/bytes';
import { useSeen } from '../use-seen';
import classes from './attachments.module.css';
import { useDownload, useSize } from './media';

const t = texts('inbox');

interface Props {
  id: string;
  name: string;
  /** Why the file is not shown. */
  hint?: string;
}

/** A file with its size. A click downloads it; the panel does not open it. */
export function FileLink({ id, name, hint }: Props) {
  const { workspace } = useWhere();
  const box = useRef<HTMLButtonElement>(null);
  const size = useSize(workspace.id, id, useSeen(box));
  const download = useDownload(workspace.id, id, name);
  const isGone = download.error instanceof Problem && download.error.status === 404;
  return (
    <div>
      <button
        ref={box}
        type="button"
        className={classes.file}
        aria-label={t('files.download', { name })}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        <IconFile size={16} aria-hidden />
        <span className={classes.fileName}>{name}</span>
        {size !== undefined && <span className={classes.size}>{inBytes(size)}</span>}
        {download.isPending ? (
          <Loader size={14} color="currentColor" />
        ) : (
          <IconDownload size={16} aria-hidden />
        )}
      </button>
      {hint && <div className={classes.hint}>{hint}</div>}
      {download.error && (
        <div className={classes.hint} role="alert">
          {isGone ? t('files.lost.gone') : told(download.error)}
        </div>
      )}
    </div>
  );
}
