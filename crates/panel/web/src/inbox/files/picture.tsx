import { Button, Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import { useWhere } from '../../app/here';
import { texts } from '../../i18n/texts';
import { useSeen } from '../use-seen';
import classes from './attachments.module.css';
import { FileLink } from './file-link';
import { useDownload, useShown } from './media';

const t = texts('inbox');

/** A picture as a thumbnail. A click enlarges it. A file that is no picture is a link. */
export function Picture({ id, name }: { id: string; name: string }) {
  const { workspace } = useWhere();
  const box = useRef<HTMLButtonElement>(null);
  const { url, isRefused } = useShown(workspace.id, id, 'image', useSeen(box));
  const download = useDownload(workspace.id, id, name);
  const [isBroken, setBroken] = useState(false);
  const [isLarge, setLarge] = useState(false);
  if (isRefused || isBroken) return <FileLink id={id} name={name} hint={t('files.notShown')} />;
  return (
    <>
      <button
        ref={box}
        type="button"
        className={classes.thumbnail}
        aria-label={t('files.enlarge', { name })}
        disabled={!url}
        onClick={() => setLarge(true)}
      >
        {url && <img src={url} alt={name} onError={() => setBroken(true)} />}
      </button>
      <Modal
        opened={isLarge}
        onClose={() => setLarge(false)}
        title={name}
        size="auto"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {url && <img className={classes.large} src={url} alt={name} />}
        <Button variant="default" mt="sm" loading={download.isPending} onClick={() => download.mutate()}>
          {t('files.downloadVerb')}
        </Button>
      </Modal>
    </>
  );
}
