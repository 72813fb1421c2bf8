import { Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { keepWorkspace, readWorkspace, useSaveWorkspace, type Versioned } from './api';
import { CountryField } from './country-field';
import { draftOf } from './draft';
import { nameOf, valueText } from './fields';
import { PlanField } from './plan-field';
import classes from './settings.module.css';
import { ZoneField } from './zone-field';

const t = texts('settings');

/**
 * Edits the settings of a workspace. It saves with the version that it read, so it does not overwrite changes
 * by other users.
 */
export function WorkspaceForm({ latest }: { latest: Versioned }) {
  const { workspace, inSandbox, administers } = useWhere();
  const { user } = useAccount();
  const client = useQueryClient();
  const saving = useSaveWorkspace(workspace.id);
  const editing = useDraft({
    latest: drafted(latest),
    meant: (it) => ({ ...it, name: it.name.trim() }),
    read: async () => {
      const theirs = await readWorkspace(workspace.id);
      keepWorkspace(client, theirs);
      void session.reload().catch(() => undefined);
      return drafted(theirs);
    },
    save: (body, etag) => saving.mutateAsync({ body, etag }),
  });
  const { draft, set, faults } = editing;
  return (
    <div className={classes.form}>
      <VersionedForm editing={editing} nameOf={nameOf} textOf={valueText}>
        <TextInput
          label={t('name')}
          description={inSandbox ? t('workspace.nameHintSandbox') : t('workspace.nameHint')}
          maxLength={100}
          autoComplete="off"
          readOnly={!administers}
          value={draft.name}
          error={faults.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ZoneField
          value={draft.time_zone}
          onChange={(time_zone) => set({ time_zone })}
          readOnly={!administers}
          error={faults.time_zone}
        />
        <CountryField
          value={draft.default_country}
          onChange={(default_country) => set({ default_country })}
          readOnly={!administers}
          error={faults.default_country}
        />
        <Switch
          label={t('workspace.assignOnReply')}
          description={t('workspace.assignOnReplyHint')}
          disabled={!administers}
          checked={draft.assign_on_reply}
          error={faults.assign_on_reply}
          onChange={(event) => set({ assign_on_reply: event.currentTarget.checked })}
        />
        <TagsInput
          label={t('workspace.optOutWords')}
          description={t('workspace.optOutWordsHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          maxTags={50}
          readOnly={!administers}
          value={draft.opt_out_words}
          error={faults.opt_out_words}
          onChange={(opt_out_words) => set({ opt_out_words })}
        />
        <PlanField
          value={draft.plan}
          saved={latest.workspace.plan}
          onChange={administers && user.operator && !inSandbox ? (plan) => set({ plan }) : undefined}
          error={faults.plan}
        />
        {!administers && <Text c="dimmed">{t('workspace.onlyAdmins')}</Text>}
      </VersionedForm>
    </div>
  );
}

const drafted = ({ workspace, etag }: Versioned) => ({ draft: draftOf(workspace), etag });
