import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconClipboard, IconCopy } from '@tabler/icons-react';
import { told } from '../../components/states';
import { texts } from '../../i18n/texts';
import classes from './build.module.css';
import type { useDraft } from './use-draft';

const common = texts('common');
const t = texts('flow-editor');
const drafts = texts('drafts');

interface Props {
  draft: ReturnType<typeof useDraft>;
  selected: readonly string[];
  copy: () => void;
  paste: () => Promise<boolean>;
}

/** Whether the draft is saved, and what takes changes back. */
export function DraftBar({ draft, selected, copy, paste }: Props) {
  const { state } = draft;
  return (
    <div className={classes.bar}>
      <div className={classes.tools}>
        <Tool label={t('undo')} icon={IconArrowBackUp} onClick={draft.undo} />
        <Tool label={t('redo')} icon={IconArrowForwardUp} onClick={draft.redo} />
        <Tool label={t('copy')} icon={IconCopy} onClick={selected.length > 0 ? copy : undefined} />
        <Tool label={t('paste')} icon={IconClipboard} onClick={() => void paste()} />
      </div>
      <span role="status" className={classes.state} data-state={state}>
        {state === 'conflict' ? t('conflict') : state === 'failed' ? told(draft.error) : t(`states.${state}`)}
      </span>
      {state === 'conflict' && (
        <>
          <Button size="xs" variant="default" disabled={!draft.theirsKnown} onClick={draft.takeTheirs}>
            {drafts('takeTheirs')}
          </Button>
          <Button size="xs" disabled={!draft.theirsKnown} onClick={draft.saveMine}>
            {drafts('saveMine')}
          </Button>
        </>
      )}
      {state === 'failed' && (
        <Button size="xs" variant="default" onClick={draft.retry}>
          {common('tryAgain')}
        </Button>
      )}
    </div>
  );
}

function Tool({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: typeof IconCopy;
  onClick?: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={label}
        onClick={onClick}
        disabled={!onClick}
      >
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
