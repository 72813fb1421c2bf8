import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../api/connection';
import { texts } from '../i18n/texts';

const t = texts('inbox');

const Dialog = lazy(() =>
  loadPart(() => import('./new-conversation-dialog')).then(({ NewConversationDialog: part }) => ({
    default: part,
  })),
);

/** A button that opens the dialog for a message to any contact. */
export function NewConversation() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tooltip label={t('start.title')}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('start.title')} onClick={() => setOpen(true)}>
          <IconMessagePlus size={16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <Dialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
