import { TagsInput, Text, Textarea } from '@mantine/core';
import { FilesField } from '../attachments/files-field';
import { texts } from '../i18n/texts';
import { useInsert } from '../templates/use-insert';
import { ValueMenu } from '../templates/value-menu';
import { isEdited, type Said, withParts } from './draft';
import { messageHint } from './words';

const t = texts('broadcasts');

interface Props {
  value: Said;
  onChange: (message: Said) => void;
  /** The most quick replies that the channel supports. */
  most: number;
  error: string | undefined;
}

/** Fields for the template, the files and the quick replies of the message. */
export function MessageField({ value, onChange, most, error }: Props) {
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
    </>
  );
}
