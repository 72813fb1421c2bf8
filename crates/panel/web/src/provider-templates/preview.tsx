import { texts } from '../i18n/texts';
import { filledText, type ProviderTemplate } from './api';
import classes from './templates.module.css';

const t = texts('provider-templates');

interface Props {
  template: ProviderTemplate;
  parameters?: Record<string, string> | null;
}

/** The message of a template. Placeholders without a value stay visible. */
export function TemplatePreview({ template, parameters }: Props) {
  return (
    <figure className={classes.preview} aria-label={t('preview', { name: template.name })}>
      {template.components.map((it) => {
        const text = filledText(it, parameters ?? undefined);
        const format =
          it.format && it.format !== 'TEXT' ? (t.find('formats', it.format) ?? it.format) : undefined;
        return (
          <div key={it.type} className={classes.part} data-part={it.type}>
            {format && <span className="dimmed">{format}</span>}
            {text}
            {it.buttons.map((button, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other stable key
              <span key={at} className={classes.button} title={button.url ?? undefined}>
                {button.text ?? button.type}
              </span>
            ))}
          </div>
        );
      })}
    </figure>
  );
}
