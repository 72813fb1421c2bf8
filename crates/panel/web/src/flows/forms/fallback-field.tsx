import { Fieldset } from '@mantine/core';
import { useWhere } from '../../app/here';
import { texts } from '../../i18n/texts';
import { useHasTemplates } from '../../provider-templates/api';
import type { Words } from '../definition';
import classes from './forms.module.css';
import { Add, Remove } from './rows';
import { TemplateField } from './template-field';

const t = texts('provider-templates');

interface Props {
  /** The pointer of the message. */
  field: string;
  message: Words;
  set: (patch: Partial<Words>) => void;
}

/** The template that is sent instead of a message after the reply window of its channel. */
export function FallbackField({ field, message, set }: Props) {
  const { workspace } = useWhere();
  const isOffered = useHasTemplates(workspace.id);
  const { fallback } = message;
  if (!fallback) {
    const add = () => set({ fallback: { template: { name: '' } } });
    return isOffered ? (
      <div>
        <Add label={t('addFallback')} onClick={add} />
      </div>
    ) : null;
  }
  return (
    <Fieldset legend={t('fallback')}>
      <div className={classes.part}>
        <span className="dimmed">{t('fallbackHint')}</span>
        <TemplateField
          field={`${field}/fallback/template`}
          value={fallback.template}
          onChange={(template) => set({ fallback: { template } })}
        />
        <div>
          <Remove label={t('removeFallback')} onClick={() => set({ fallback: undefined })} />
        </div>
      </div>
    </Fieldset>
  );
}
