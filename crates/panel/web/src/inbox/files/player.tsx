import { Loader } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../../app/here';
import { texts } from '../../i18n/texts';
import classes from './attachments.module.css';
import { FileLink } from './file-link';
import { useShown } from './media';

const t = texts('inbox');

interface Props {
  id: string;
  name: string;
  kind: 'audio' | 'video';
}

/** A recording or film. It is loaded when the user plays it. A file that cannot be played is a link. */
export function Player({ id, name, kind }: Props) {
  const { workspace } = useWhere();
  const [isAsked, setAsked] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const { url, isRefused } = useShown(workspace.id, id, kind, isAsked);
  if (isRefused || isBroken) return <FileLink id={id} name={name} hint={t('files.notPlayed')} />;
  if (url) {
    const shared = {
      src: url,
      controls: true,
      autoPlay: true,
      'aria-label': name,
      onError: () => setBroken(true),
    };
    return (
      <div className={classes.player}>
        {/* biome-ignore-start lint/a11y/useMediaCaption: files of contacts have no captions */}
        {kind === 'audio' ? <audio {...shared} /> : <video {...shared} playsInline />}
        {/* biome-ignore-end lint/a11y/useMediaCaption: files of contacts have no captions */}
        <FileLink id={id} name={name} />
      </div>
    );
  }
  return (
    <button
      type="button"
      className={classes.file}
      aria-label={t('files.play', { name })}
      disabled={isAsked}
      onClick={() => setAsked(true)}
    >
      {isAsked ? <Loader size={14} color="currentColor" /> : <IconPlayerPlay size={16} aria-hidden />}
      <span className={classes.fileName}>{name}</span>
    </button>
  );
}
