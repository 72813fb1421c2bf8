import { useWhere } from '../../app/here';
import { Loaded } from '../../components/loaded';
import { texts } from '../../i18n/texts';
import {
  type Chosen,
  keyOf,
  type ProviderTemplate,
  useAllTemplates,
  useHasTemplates,
  withParameter,
} from '../../provider-templates/api';
import { TemplatePicker } from '../../provider-templates/picker';
import { TemplatePreview } from '../../provider-templates/preview';
import { patched } from './context';
import { JsonField } from './json-field';
import { TextField } from './text-field';

const t = texts('flow-forms');
const PARAMETERS = '{"name": "{{ contact.first_name }}"}';

interface Props {
  /** The pointer of the template. */
  field: string;
  value: Chosen | undefined | null;
  onChange: (template: Chosen) => void;
}

/** A template of a provider. If the workspace has a channel with templates, it can be selected. */
export function TemplateField(props: Props) {
  const { workspace } = useWhere();
  return useHasTemplates(workspace.id) ? <Listed {...props} /> : <Written {...props} />;
}

/** Selects a template that is listed. Other templates are written. */
function Listed({ field, value, onChange }: Props) {
  const { workspace } = useWhere();
  const asked = useAllTemplates(workspace.id);
  const known = asked.data?.find((it) => value && keyOf(it) === keyOf(value));
  return (
    <>
      <Loaded asked={asked} lines={1}>
        {(templates) => (
          <TemplatePicker templates={templates} value={value ?? undefined} onChange={onChange} />
        )}
      </Loaded>
      {value && known && hasOnly(known, value) ? (
        <>
          {known.parameters.map(({ name, type }) => (
            <TextField
              key={name}
              label={t('templateParameter', { name })}
              hint={type === 'media' ? t('templateMediaHint') : undefined}
              field={`${field}/parameters/${name}`}
              value={value.parameters?.[name] ?? ''}
              onChange={(text) => onChange(withParameter(value, name, text))}
              template
            />
          ))}
          <TemplatePreview template={known} parameters={value.parameters} />
        </>
      ) : (
        <Written field={field} value={value} onChange={onChange} />
      )}
    </>
  );
}

/** Whether a message has no other parameters than its template. */
function hasOnly({ parameters }: ProviderTemplate, value: Chosen): boolean {
  const names = parameters.map((it) => it.name);
  return Object.keys(value.parameters ?? {}).every((it) => names.includes(it));
}

function Written({ field, value, onChange }: Props) {
  const template = value ?? { name: '' };
  const put = (patch: Partial<Chosen>) => onChange(patched(template, patch));
  return (
    <>
      <TextField
        label={t('templateName')}
        field={`${field}/name`}
        value={template.name}
        onChange={(name) => put({ name })}
      />
      <TextField
        label={t('language')}
        field={`${field}/language`}
        value={template.language ?? ''}
        onChange={(language) => put({ language: language || undefined })}
        placeholder={t('templateLanguageExample')}
      />
      <JsonField
        label={t('templateParameters')}
        hint={t('templateParametersHint', { example: PARAMETERS })}
        field={`${field}/parameters`}
        value={template.parameters ?? undefined}
        accept={(it) => typeof it === 'object' && it !== null && !Array.isArray(it)}
        onChange={(parameters) => put({ parameters: parameters as Record<string, string> | undefined })}
      />
    </>
  );
}
