import { Button, Fieldset, TextInput } from '@mantine/core';
import { useWhere } from '../app/here';
import { Loaded } from '../components/loaded';
import { texts } from '../i18n/texts';
import { type Chosen, isApproved, keyOf, type ProviderTemplate, useTemplates, withParameter } from './api';
import { TemplatePicker } from './picker';
import { TemplatePreview } from './preview';
import classes from './templates.module.css';

const t = texts('provider-templates');

interface Props {
  /** The channel of the message. */
  channel: string;
  value: Chosen;
  onChange: (template: Chosen) => void;
  onRemove: () => void;
  error?: string;
  readOnly?: boolean;
}

/** The template that is sent instead of a message after the reply window. */
export function FallbackFields({ channel, onRemove, ...props }: Props) {
  const { workspace } = useWhere();
  const asked = useTemplates(workspace.id, channel);
  return (
    <Fieldset legend={t('fallback')}>
      <div className={classes.fields}>
        <span className="dimmed">{t('fallbackHint')}</span>
        <Loaded asked={asked} lines={2}>
          {({ data }) => <Fields {...props} templates={data.filter(isApproved)} />}
        </Loaded>
        <div>
          <Button variant="subtle" size="compact-sm" disabled={props.readOnly} onClick={onRemove}>
            {t('removeFallback')}
          </Button>
        </div>
      </div>
    </Fieldset>
  );
}

type FieldsProps = Omit<Props, 'channel' | 'onRemove'> & { templates: ProviderTemplate[] };

function Fields({ templates, value, onChange, error, readOnly }: FieldsProps) {
  const template = templates.find((it) => keyOf(it) === keyOf(value));
  return (
    <>
      <TemplatePicker {...{ templates, value, onChange, error, readOnly }} />
      {template?.parameters.map(({ name, type }) => (
        <TextInput
          key={name}
          label={t('parameter', { name })}
          description={type === 'media' ? t('mediaHint') : undefined}
          maxLength={4096}
          value={value.parameters?.[name] ?? ''}
          readOnly={readOnly}
          onChange={(event) => onChange(withParameter(value, name, event.currentTarget.value))}
        />
      ))}
      {template && <TemplatePreview template={template} parameters={value.parameters} />}
    </>
  );
}
