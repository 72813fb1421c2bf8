import { Button } from '@mantine/core';
import { createPortal } from 'react-dom';
import { told } from '../../components/states';
import { texts } from '../../i18n/texts';
import { useBarSlot } from '../bar-slot';
import classes from './build.module.css';
import type { useDraft } from './use-draft';

const t = texts('flow-editor');
const drafts = texts('drafts');

/**
 * Shows in the bar of the flow whether the draft is saved. A conflict or a failed save is shown above the
 * canvas, with its actions.
 */
export function DraftState({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const slot = useBarSlot();
  const { state } = draft;
  if (state === 'saved' || state === 'waits') {
    const text = (
      <span role="status" className={classes.state} data-state={state}>
        {t(`states.${state}`)}
      </span>
    );
    return slot ? createPortal(text, slot) : text;
  }
  return (
    <div className={classes.problem}>
      <span role="status" className={classes.state} data-state={state}>
        {state === 'conflict' ? t('conflict') : told(draft.error)}
      </span>
      {state === 'conflict' ? (
        <>
          <Button size="xs" variant="default" disabled={!draft.theirsKnown} onClick={draft.takeTheirs}>
            {drafts('takeTheirs')}
          </Button>
          <Button size="xs" disabled={!draft.theirsKnown} onClick={draft.saveMine}>
            {drafts('saveMine')}
          </Button>
        </>
      ) : (
        <Button size="xs" variant="default" onClick={draft.retry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  );
}
