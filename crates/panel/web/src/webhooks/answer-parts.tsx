import { Code } from '../components/code';
import { Details } from '../components/details';
import { texts } from '../i18n/texts';
import { prettied } from './pretty';
import classes from './webhooks.module.css';

const t = texts('webhooks');

export function AnswerParts({ headers, body }: { headers: Record<string, string>; body: string }) {
  const all = Object.entries(headers);
  return (
    <>
      <p className={classes.part}>{t('responseBody')}</p>
      {body ? (
        <Code text={prettied(body)} what={t('theResponseBody')} />
      ) : (
        <span className="dimmed">{t('emptyBody')}</span>
      )}
      {all.length > 0 && (
        <>
          <p className={classes.part}>{t('responseHeaders')}</p>
          <Details
            rows={all.map(([name, value]) => [
              name,
              <code key={name} className="mono-small">
                {value}
              </code>,
            ])}
          />
        </>
      )}
    </>
  );
}
