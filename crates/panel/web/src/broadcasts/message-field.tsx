import { Button, TagsInput, Text, Textarea } from '@mantine/core';
import { FilesField } from '../attachments/files-field';
import type { Channel } from '../channels/api';
import { texts } from '../i18n/texts';
import { type Chosen, hasTemplates } from '../provider-templates/api';
import { FallbackFields } from '../provider-templates/fallback';
import { useInsert } from '../templates/use-insert';
import { ValueMenu } from '../templates/value-menu';
import { isEdited, type Said, withParts } from './draft';
import { messageHint } from './words';

const t = texts('broadcasts');
const templates = texts('provider-templates');

interface Props {
  value: Said;
  onChange: (message: Said) => void;
  /** The channel that sends the message. */
  channel: Pick<Channel, 'id' | 'kind' | 'capabilities'> | undefined;
  error: string | undefined;
}

/** Fields for the template, the files, the quick replies and the fallback of the message. */
export function MessageField({ value, onChange, channel, error }: Props) {
  const most = channel?.capabilities.quick_replies ?? 0;
  const say = (text: string) => onChange(withParts(value, { text }));
  const { insert, field } = useInsert(value.text ?? '', say);
  if (!isEdited(value)) return <Text c="dimmed">{t('otherMessage', { type: value.type })}</Text>;
  const titles = value.quick_replies?.map((it) => it.title) ?? [];
  const choose = (next: string[]) => {
    const { quick_replies: before, ...rest } = value;
    const kept = next.map((title) => before?.find((it) => it.title === title) ?? { title });
    onChange(kept.length > 0 ? { ...rest, quick_replies: kept } : rest);
  };
  return (
    <>
      <FilesField
        value={value.attachments ?? []}
        onChange={(attachments) => onChange(withParts(value, { attachments }))}
      >
        <Textarea
          {...field}
          label={t('message')}
          description={messageHint()}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          autosize
          minRows={4}
          maxRows={16}
          maxLength={4096}
          value={value.text ?? ''}
          error={error}
          rightSection={<ValueMenu onInsert={insert} />}
          rightSectionProps={{ style: { alignItems: 'start', paddingTop: 4 } }}
          onChange={(event) => say(event.currentTarget.value)}
        />
      </FilesField>
      {(most > 0 || titles.length > 0) && (
        <TagsInput
          label={t('quickReplies')}
          description={t('quickRepliesHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          maxTags={most}
          maxLength={80}
          splitChars={[]}
          data={[]}
          value={titles}
          onChange={choose}
        />
      )}
      {channel && hasTemplates(channel) && <Fallback {...{ value, onChange }} channel={channel.id} />}
    </>
  );
}

interface FallbackProps extends Pick<Props, 'value' | 'onChange'> {
  channel: string;
}

function Fallback({ value, onChange, channel }: FallbackProps) {
  const { fallback, ...rest } = value;
  const put = (template: Chosen) => onChange({ ...rest, fallback: { template } });
  if (!fallback) {
    return (
      <div>
        <Button variant="subtle" size="compact-sm" onClick={() => put({ name: '' })}>
          {templates('addFallback')}
        </Button>
      </div>
    );
  }
  return (
    <FallbackFields
      channel={channel}
      value={fallback.template}
      onChange={put}
      onRemove={() => onChange(rest)}
    />
  );
}
