import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import type { Workspace } from '../app/places';
import { GuardedModal } from '../components/guarded';
import { LeaveGuard } from '../components/leave-guard';
import { Failure, Waiting } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { useDeleteWorkspace, useDeletionPreview, useOnce, useRefreshWorkspace } from './api';
import { Consequences } from './consequences';
import classes from './deletion.module.css';

const t = texts('workspace-deletion');

interface Props {
  workspace: Workspace;
  opened: boolean;
  onClose: () => void;
}

/** Shows the consequences of a deletion, and asks for the name of the workspace. */
export function DeleteDialog({ workspace: { id, name }, opened, onClose }: Props) {
  const removal = useDeleteWorkspace(id);
  const close = () => {
    // A deletion that began cannot be cancelled.
    if (removal.isPending) return;
    removal.reset();
    onClose();
  };
  return (
    <GuardedModal opened={opened} onClose={close} size={520} title={t('deleteQuestion', { name })}>
      {/* The name only confirms: nothing is lost if the dialog is closed. */}
      <LeaveGuard unsaved={false} />
      <Content id={id} name={name} removal={removal} close={close} />
    </GuardedModal>
  );
}

interface ContentProps {
  id: string;
  name: string;
  removal: ReturnType<typeof useDeleteWorkspace>;
  close: () => void;
}

function Content(props: ContentProps) {
  const { id, name } = props;
  const [before] = useState(name);
  const preview = useDeletionPreview(id, name);
  const refresh = useRefreshWorkspace(id);
  if (preview.error) {
    const renamed = faultsByField(preview.error).name !== undefined;
    return (
      <Failure
        error={renamed ? new Error(t('renamed')) : preview.error}
        // Another name causes another preview.
        retry={() => void (renamed ? refresh() : preview.refetch())}
      />
    );
  }
  if (!preview.data) return <Waiting lines={8} />;
  return (
    <>
      {name !== before && <p role="alert">{t('renamed')}</p>}
      <Consequences of={preview.data} />
      <Question key={name} {...props} refresh={refresh} />
    </>
  );
}

function Question({ name, removal, close, refresh }: ContentProps & { refresh: () => Promise<void> }) {
  const [typed, setTyped] = useState('');
  const start = useOnce(removal, {
    onError: (error) => {
      if (faultsByField(error).name) void refresh();
    },
  });
  const matches = typed === name;
  const faults = faultsByField(removal.error);
  return (
    <SubmitForm
      noValidate
      onSubmit={() => {
        if (matches) start(typed);
      }}
    >
      <TextInput
        label={t('typeName')}
        description={<b className={classes.name}>{name}</b>}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        error={faults.name}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          if (removal.isError) removal.reset();
        }}
      />
      {removal.error && Object.keys(faults).length === 0 && (
        <div className={classes.failure}>
          <Failure error={removal.error} />
        </div>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" disabled={removal.isPending} onClick={close}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          color="red.8"
          disabled={!matches}
          loading={removal.isPending || removal.isSuccess}
        >
          {t('deleteWorkspace')}
        </Button>
      </Group>
    </SubmitForm>
  );
}
