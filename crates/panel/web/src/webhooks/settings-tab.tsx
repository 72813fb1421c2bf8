import { useQueryClient } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { en } from '../i18n/en';
import { readWebhook, refreshWebhooks, saveWebhook, type Tagged, versioned } from './api';
import type { WebhookDraft } from './draft';
import { WebhookFields } from './fields';

const words = en.webhooks;

const NAMES: Record<keyof WebhookDraft, string> = {
  url: words.url,
  events: words.kinds,
  description: words.about,
  payload: words.payload,
  headers: words.headers,
};

/** What is asked of a webhook, to change it. */
export function SettingsTab({ tagged }: { tagged: Tagged }) {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const { id } = tagged.webhook;
  const editing = useDraft<WebhookDraft>({
    latest: versioned(tagged),
    read: async () => {
      const now = versioned(await readWebhook(workspace.id, id));
      void refreshWebhooks(client, workspace.id, id);
      return now;
    },
    save: async (changed, etag) => {
      await saveWebhook(workspace.id, id, changed, etag);
      await refreshWebhooks(client, workspace.id, id);
    },
  });
  return (
    <VersionedForm editing={editing} nameOf={(field) => NAMES[field]}>
      <WebhookFields draft={editing.draft} set={editing.set} faults={editing.faults} />
    </VersionedForm>
  );
}
