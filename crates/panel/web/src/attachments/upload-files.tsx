import { texts } from '../i18n/texts';
import { AttachButton, PickedFile, Refused } from '../inbox/files/picked';
import classes from '../inbox/files/picked.module.css';
import type { Files } from './use-files';

const t = texts('inbox');

/** A button that adds files to a message, with the progress of its uploads. */
export function UploadFiles({ files }: { files: Files }) {
  const { running, retry, remove, refused, count, attach, isOver, isWaiting } = files;
  return (
    <>
      {running.length > 0 && (
        <ul className={classes.files}>
          {running.map((it) => (
            <PickedFile
              key={it.key}
              name={it.file.name}
              size={it.file.size}
              upload={it}
              onRetry={() => retry(it.key)}
              onRemove={() => remove(it.key)}
            />
          ))}
        </ul>
      )}
      <Refused reasons={isWaiting ? [...refused, t('files.uploading')] : refused} />
      <div className={classes.adding}>
        <AttachButton add={attach} count={count} isSending={false} label={t('files.add')} />
        {isOver && <span className={classes.size}>{t('files.drop')}</span>}
      </div>
    </>
  );
}
