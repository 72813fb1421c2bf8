import { Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { en } from '../i18n/en';
import type { WebhookDraft } from './draft';
import { HeadersField } from './headers-field';
import { KindPicker } from './kind-picker';

const words = en.webhooks;

interface Props {
  draft: WebhookDraft;
  set: (next: Partial<WebhookDraft>) => void;
  faults: Record<string, string>;
}

/** What is asked of a webhook, to make one or to change it. */
export function WebhookFields({ draft, set, faults }: Props) {
  return (
    <>
      <TextInput
        label={words.url}
        description={words.urlHint}
        placeholder="https://example.com/hooks"
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        data-autofocus
        value={draft.url}
        error={faults.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <KindPicker value={draft.events} onChange={(events) => set({ events })} error={faults.events} />
      <Textarea
        label={words.about}
        description={words.aboutHint}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        maxLength={500}
        autosize
        minRows={1}
        value={draft.description ?? ''}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value || null })}
      />
      <Input.Wrapper
        label={words.payload}
        description={words.payloadHint[draft.payload]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        labelElement="div"
        error={faults.payload}
      >
        <div>
          <SegmentedControl
            aria-label={words.payload}
            value={draft.payload}
            data={Object.entries(words.payloads).map(([value, label]) => ({ value, label }))}
            onChange={(payload) => set({ payload: payload as WebhookDraft['payload'] })}
          />
        </div>
      </Input.Wrapper>
      <HeadersField value={draft.headers} onChange={(headers) => set({ headers })} error={faults.headers} />
    </>
  );
}
