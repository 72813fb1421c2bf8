import { TextInput } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../../api/client';
import { Problem } from '../../api/problem';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { told } from '../../components/states';
import { list } from '../../i18n/format';
import { faultMessage } from '../../i18n/problems';
import { texts } from '../../i18n/texts';
import classes from './forms.module.css';

const t = texts('flow-forms');

/** A text rendered for a contact. Only users who may write can render texts, others see no preview. */
export function Preview({ template }: { template: string }) {
  const { workspace, role } = useWhere();
  const mayRender = mayWrite(role);
  const [contact, setContact] = useSessionStorage({
    key: `tidings-preview-${workspace.id}`,
    defaultValue: '',
  });
  const [asked] = useDebouncedValue({ template, contact: contact.trim() }, 500);
  const isTemplate = /\{[{%]/.test(asked.template);
  const shown = useQuery({
    queryKey: ['template', workspace.id, asked.template, asked.contact],
    enabled: mayRender && isTemplate && asked.template.length <= 4096,
    retry: false,
    queryFn: ({ signal }) =>
      apiIn(workspace.id).POST('/api/v1/templates/render', {
        body: { template: asked.template, contact_id: asked.contact || undefined },
        signal,
      }),
  });
  if (!mayRender || !isTemplate) return null;
  const fault = shown.error instanceof Problem ? shown.error.faults[0] : undefined;
  const atContact = fault?.pointer === '/contact_id';
  return (
    <div className={classes.part}>
      <TextInput
        label={t('previewFor')}
        description={t('previewHint')}
        placeholder={t('previewNobody')}
        value={contact}
        autoComplete="off"
        spellCheck={false}
        error={atContact ? faultMessage(fault) : undefined}
        onChange={(event) => setContact(event.currentTarget.value)}
      />
      {shown.data && <div className={classes.preview}>{shown.data.text}</div>}
      {shown.data && shown.data.unknown_names.length > 0 && (
        <div className={classes.preview} data-unsure>
          {t('unknownNames', {
            count: shown.data.unknown_names.length,
            names: list(shown.data.unknown_names),
          })}
        </div>
      )}
      {shown.error && !atContact && (
        <div className={classes.preview} data-wrong>
          {fault ? faultMessage(fault) : told(shown.error)}
        </div>
      )}
    </div>
  );
}
