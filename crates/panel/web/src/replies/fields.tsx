import { Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { faultsByField } from '../api/problem';
import { useWhere } from '../app/here';
import { FilesField } from '../attachments/files-field';
import type { FieldsProps } from '../catalog/catalog';
import { NameField } from '../catalog/key-fields';
import { Failure } from '../components/states';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import { type ReplyDraft, type SavedReply, useRendered } from './api';
import classes from './replies.module.css';

const t = texts('replies');

/** The name, the text and the preview of a saved reply. */
export function ReplyFields({ draft, set, faults, row, readOnly }: FieldsProps<SavedReply, ReplyDraft>) {
  return (
    <>
      <NameField
        draft={draft}
        set={set}
        faults={faults}
        row={row}
        readOnly={readOnly}
        description={t('nameHint')}
      />
      <FilesField
        value={draft.attachments}
        onChange={(attachments) => set({ attachments })}
        error={faults.attachments}
        readOnly={readOnly}
      >
        <Textarea
          label={t('text')}
          description={t('textHint', {
            example: `{{ contact.first_name | default("${t('defaultName')}") }}`,
          })}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          maxLength={4096}
          autosize
          minRows={4}
          maxRows={14}
          readOnly={readOnly}
          value={draft.text}
          error={faults.text}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      </FilesField>
      {!readOnly && <Preview template={draft.text} />}
    </>
  );
}

function Preview({ template }: { template: string }) {
  const { workspace } = useWhere();
  const [contact, setContact] = useState('');
  const [text] = useDebouncedValue(template, 400);
  const [who] = useDebouncedValue(contact.trim(), 400);
  const rendered = useRendered(workspace.id, text, who);
  const faults = faultsByField(rendered.error);
  const unknown = rendered.data?.unknown_names ?? [];
  const wrong = faults.template ?? faults.contact_id;
  return (
    <div>
      <TextInput
        label={t('previewFor')}
        description={t('previewForHint')}
        autoComplete="off"
        spellCheck={false}
        value={contact}
        error={faults.contact_id}
        onChange={(event) => setContact(event.currentTarget.value)}
      />
      <div className={classes.preview} role="status" aria-label={t('preview')}>
        {rendered.error ? (
          wrong ? (
            <Text c="var(--bad)">{wrong}</Text>
          ) : (
            <Failure error={rendered.error} />
          )
        ) : (
          template && rendered.data?.text
        )}
      </div>
      {template && !rendered.error && unknown.length > 0 && (
        <Text c="var(--bad)" size="xs" mt={4}>
          {t('unknownNames', { count: unknown.length, names: list(unknown) })}
        </Text>
      )}
      {!who && (
        <Text c="dimmed" size="xs" mt={4}>
          {t('previewHint')}
        </Text>
      )}
    </div>
  );
}
