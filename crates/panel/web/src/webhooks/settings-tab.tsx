import { useQueryClient } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { readWebhook, refreshWebhooks, saveWebhook, type Tagged, toDraft } from './api';
import type { WebhookDraft } from './draft';
import { WebhookFields } from './fields';

const t = texts('webhooks');

const NAMES = {
  url: 'url',
  events: 'events',
  description: 'about',
  payload: 'payload',
  headers: 'headers',
} as const satisfies Record<keyof WebhookDraft, string>;

export function SettingsTab({ tagged }: { tagged: Tagged }) {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const { id } = tagged.webhook;
  const editing = useDraft<WebhookDraft>({
    latest: toDraft(tagged),
    read: async () => {
      const now = toDraft(await readWebhook(workspace.id, id));
      void refreshWebhooks(client, workspace.id, id);
      return now;
    },
    save: async (changed, etag) => {
      await saveWebhook(workspace.id, id, changed, etag);
      await refreshWebhooks(client, workspace.id, id);
    },
  });
  return (
    <VersionedForm editing={editing} nameOf={(field) => t(NAMES[field])}>
      <WebhookFields draft={editing.draft} set={editing.set} faults={editing.faults} />
    </VersionedForm>
  );
}
