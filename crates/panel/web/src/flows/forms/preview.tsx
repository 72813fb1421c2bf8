import { TextInput } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, inWorkspace, value } from '../../api/client';
import { Problem } from '../../api/problem';
import { useWhere } from '../../app/here';
import { mayWrite } from '../../app/places';
import { told } from '../../components/states';
import { en } from '../../i18n/en';
import classes from './forms.module.css';

const words = en.flowForms;

/** A text as it would be sent to a contact now. Only those who may write can render texts; others see no preview. */
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
      value(
        api.POST('/api/v1/templates/render', {
          body: { template: asked.template, contact_id: asked.contact || undefined },
          headers: inWorkspace(workspace.id),
          signal,
        }),
      ),
  });
  if (!mayRender || !isTemplate) return null;
  const fault = shown.error instanceof Problem ? shown.error.faults[0] : undefined;
  const atContact = fault?.pointer === '/contact_id';
  return (
    <div className={classes.part}>
      <TextInput
        label={words.previewFor}
        description={words.previewHint}
        placeholder={words.previewNobody}
        value={contact}
        autoComplete="off"
        spellCheck={false}
        error={atContact ? fault.message : undefined}
        onChange={(event) => setContact(event.currentTarget.value)}
      />
      {shown.data && <div className={classes.preview}>{shown.data.text}</div>}
      {shown.data && shown.data.unknown_names.length > 0 && (
        <div className={classes.preview} data-unsure>
          {words.unknownNames(shown.data.unknown_names)}
        </div>
      )}
      {shown.error && !atContact && (
        <div className={classes.preview} data-wrong>
          {fault?.message ?? told(shown.error)}
        </div>
      )}
    </div>
  );
}
