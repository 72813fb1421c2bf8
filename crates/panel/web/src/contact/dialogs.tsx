import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { Confirm } from '../components/confirm';
import { GuardedModal } from '../components/guarded';
import { saveFile } from '../components/save-file';
import { Failure, Waiting } from '../components/states';
import { nameOf } from '../contacts/state';
import { texts } from '../i18n/texts';
import { type Contact, exportOf, useAct } from './api';
import { EnrollForm, StartForm } from './begin';
import { MergeForm } from './merge';
import { SendForm } from './send';

const t = texts('contact');

export type Opened = 'send' | 'start' | 'enroll' | 'export' | 'merge' | 'delete' | 'erase';

interface Props {
  contact: Contact;
  opened: Opened | undefined;
  onClose: () => void;
}

export function Dialogs({ contact, opened, onClose }: Props) {
  const forms = {
    send: t('send'),
    start: t('start'),
    enroll: t('enroll'),
    export: t('exportAll'),
    merge: t('mergeTitle', { name: nameOf(contact) }),
  };
  const form = opened && opened in forms ? (opened as keyof typeof forms) : undefined;
  return (
    <>
      <GuardedModal opened={form !== undefined} onClose={onClose} title={form && forms[form]}>
        {form === 'send' && <SendForm contact={contact} onDone={onClose} />}
        {form === 'start' && <StartForm contact={contact} onDone={onClose} />}
        {form === 'enroll' && <EnrollForm contact={contact} onDone={onClose} />}
        {form === 'merge' && <MergeForm contact={contact} onDone={onClose} />}
        {form === 'export' && <Export contact={contact} onDone={onClose} />}
      </GuardedModal>
      <Going contact={contact} act="delete" opened={opened === 'delete'} onClose={onClose} />
      <Going contact={contact} act="erase" opened={opened === 'erase'} onClose={onClose} />
    </>
  );
}

interface GoingProps {
  contact: Contact;
  act: 'delete' | 'erase';
  opened: boolean;
  onClose: () => void;
}

function Going({ contact, act, opened, onClose }: GoingProps) {
  const { workspace } = useWhere();
  const navigate = useNavigate();
  const going = useAct(workspace.id, contact.id);
  const name = nameOf(contact);
  return (
    <Confirm
      title={act === 'delete' ? t('deleteTitle', { name }) : t('eraseTitle', { name })}
      verb={act === 'delete' ? t('delete') : t('erase')}
      opened={opened}
      pending={going.isPending}
      error={going.error}
      onClose={() => {
        going.reset();
        onClose();
      }}
      onConfirm={() =>
        going.mutate(
          { do: act },
          {
            onSuccess: () =>
              void navigate({
                to: '/contacts',
                search: act === 'delete' ? { deleted: 'only' } : {},
              }),
          },
        )
      }
    >
      {act === 'delete' ? t('deleteHint') : t('eraseHint')}
    </Confirm>
  );
}

/** Creates the export, downloads it, and closes the dialog. */
function Export({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const { workspace } = useWhere();
  const making = useMutation({
    mutationFn: async () => saveFile(await exportOf(workspace.id, contact.id), `${contact.id}.json`),
    onSuccess: onDone,
  });
  const { mutate } = making;
  useEffect(() => mutate(), [mutate]);
  return making.error ? (
    <Failure error={making.error} retry={() => mutate()} />
  ) : (
    <>
      <Text c="dimmed">{t('exporting')}</Text>
      <Waiting lines={2} />
    </>
  );
}
