import { Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { LeaveGuard } from '../components/leave-guard';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { keepWorkspace, readWorkspace, useSaveWorkspace, type Versioned } from './api';
import { Conflict } from './conflict';
import { CountryField } from './country-field';
import { changes, type Draft, differences, draftOf, rebased } from './draft';
import { PlanField } from './plan-field';
import { SaveBar } from './save-bar';
import classes from './settings.module.css';
import { ZoneField } from './zone-field';

const t = texts('settings');
const common = texts('common');

/** What admins change of a workspace. Nobody's change is lost: a save says what it was made on. */
export function WorkspaceForm({ latest }: { latest: Versioned }) {
  const { workspace, inSandbox, administers } = useWhere();
  const { user } = useAccount();
  const client = useQueryClient();
  const [started, setStarted] = useState<{ base: Versioned; draft: Draft }>();
  const [theirs, setTheirs] = useState<Versioned>();
  const save = useSaveWorkspace(workspace.id);
  const base = started?.base ?? latest;
  const draft = started?.draft ?? draftOf(latest.workspace);
  const changed = changes(base.workspace, draft);
  const dirty = Object.keys(changed).length > 0;

  const change = (next: Partial<Draft>) => {
    save.reset();
    setStarted({ base, draft: { ...draft, ...next } });
  };
  const discard = () => {
    save.reset();
    setStarted(undefined);
    setTheirs(undefined);
  };
  const send = (on: Versioned, body: Partial<Draft>) =>
    save.mutate(
      { body, etag: on.etag },
      {
        onSuccess: () => {
          setStarted(undefined);
          setTheirs(undefined);
        },
        onError: (error) => {
          if (isConflict(error)) void readWorkspace(workspace.id).then(setTheirs, () => undefined);
        },
      },
    );
  const takeTheirs = () => {
    if (theirs) {
      keepWorkspace(client, theirs);
      void session.reload().catch(() => undefined);
    }
    discard();
  };
  const saveMine = () => {
    if (!theirs) return;
    const mine = changes(theirs.workspace, rebased(base.workspace, draft, theirs.workspace));
    if (Object.keys(mine).length === 0) takeTheirs();
    else send(theirs, mine);
  };

  const faults = faultsByField(save.error);
  const failure =
    save.error && Object.keys(faults).length === 0 && !(isConflict(save.error) && theirs) ? save.error : null;
  return (
    <SubmitForm
      className={classes.form}
      noValidate
      onSubmit={() => {
        if (dirty) send(base, changed);
      }}
    >
      {theirs && (
        <Conflict
          differences={differences(base.workspace, draft, theirs.workspace)}
          pending={save.isPending}
          takeTheirs={takeTheirs}
          saveMine={saveMine}
        />
      )}
      <TextInput
        label={t('workspace.name')}
        description={inSandbox ? t('workspace.nameHintSandbox') : t('workspace.nameHint')}
        maxLength={100}
        autoComplete="off"
        readOnly={!administers}
        value={draft.name}
        error={faults.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ZoneField
        value={draft.time_zone}
        onChange={(time_zone) => change({ time_zone })}
        readOnly={!administers}
        error={faults.time_zone}
      />
      <CountryField
        value={draft.default_country}
        onChange={(default_country) => change({ default_country })}
        readOnly={!administers}
        error={faults.default_country}
      />
      <Switch
        label={t('workspace.assignOnReply')}
        description={t('workspace.assignOnReplyHint')}
        disabled={!administers}
        checked={draft.assign_on_reply}
        error={faults.assign_on_reply}
        onChange={(event) => change({ assign_on_reply: event.currentTarget.checked })}
      />
      <TagsInput
        label={t('workspace.optOutWords')}
        description={t('workspace.optOutWordsHint')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        maxTags={50}
        readOnly={!administers}
        value={draft.opt_out_words}
        error={faults.opt_out_words}
        onChange={(opt_out_words) => change({ opt_out_words })}
      />
      <PlanField
        value={draft.plan}
        saved={latest.workspace.plan}
        onChange={administers && user.operator && !inSandbox ? (plan) => change({ plan }) : undefined}
        error={faults.plan}
      />
      {!administers && <Text c="dimmed">{t('workspace.onlyAdmins')}</Text>}
      {failure && <Failure error={failure} />}
      <div role="status" className={classes.saved}>
        {save.isSuccess && !dirty && common('saved')}
      </div>
      {dirty && !theirs && <SaveBar changed={changed} pending={save.isPending} discard={discard} />}
      <LeaveGuard unsaved={dirty} />
    </SubmitForm>
  );
}

function isConflict(error: unknown): boolean {
  return error instanceof Problem && error.status === 412;
}
