import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconClipboard, IconCopy } from '@tabler/icons-react';
import { texts } from '../../i18n/texts';
import classes from './build.module.css';
import type { useDraft } from './use-draft';

const t = texts('flow-editor');

interface Props {
  draft: Pick<ReturnType<typeof useDraft>, 'undo' | 'redo'>;
  selected: readonly string[];
  copy: () => void;
  paste: () => Promise<boolean>;
}

/** The buttons on the canvas: undo, redo, copy and paste. */
export function EditTools({ draft, selected, copy, paste }: Props) {
  return (
    <div className={classes.tools}>
      <Tool label={t('undo')} icon={IconArrowBackUp} onClick={draft.undo} />
      <Tool label={t('redo')} icon={IconArrowForwardUp} onClick={draft.redo} />
      <Tool label={t('copy')} icon={IconCopy} onClick={selected.length > 0 ? copy : undefined} />
      <Tool label={t('paste')} icon={IconClipboard} onClick={() => void paste()} />
    </div>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconCopy;
  onClick?: () => void;
}

function Tool({ label, icon: Icon, onClick }: ToolProps) {
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
