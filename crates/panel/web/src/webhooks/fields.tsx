import { Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { texts } from '../i18n/texts';
import type { WebhookDraft } from './draft';
import { HeadersField } from './headers-field';
import { KindPicker } from './kind-picker';

const t = texts('webhooks');
const PAYLOADS = ['full', 'thin'] as const;

interface Props {
  draft: WebhookDraft;
  set: (next: Partial<WebhookDraft>) => void;
  faults: Record<string, string>;
}

export function WebhookFields({ draft, set, faults }: Props) {
  return (
    <>
      <TextInput
        label={t('url')}
        description={t('urlHint')}
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
        label={t('about')}
        description={t('aboutHint')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        maxLength={500}
        autosize
        minRows={1}
        value={draft.description ?? ''}
        error={faults.description}
        onChange={(event) => set({ description: event.currentTarget.value || null })}
      />
      <Input.Wrapper
        label={t('payload')}
        description={t(`payloadHint.${draft.payload}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        labelElement="div"
        error={faults.payload}
      >
        <div>
          <SegmentedControl
            aria-label={t('payload')}
            value={draft.payload}
            data={PAYLOADS.map((value) => ({ value, label: t(`payloads.${value}`) }))}
            onChange={(payload) => set({ payload: payload as WebhookDraft['payload'] })}
          />
        </div>
      </Input.Wrapper>
      <HeadersField value={draft.headers} onChange={(headers) => set({ headers })} error={faults.headers} />
    </>
  );
}
