import { Code } from '../components/code';
import { Details } from '../components/details';
import { en } from '../i18n/en';
import { prettied } from './pretty';
import classes from './webhooks.module.css';

const words = en.webhooks;

/** The body and the headers of an answer. */
export function AnswerParts({ headers, body }: { headers: Record<string, string>; body: string }) {
  const all = Object.entries(headers);
  return (
    <>
      <p className={classes.part}>{words.body}</p>
      {body ? (
        <Code text={prettied(body)} what={words.body.toLowerCase()} />
      ) : (
        <span className="dimmed">{words.emptyBody}</span>
      )}
      {all.length > 0 && (
        <>
          <p className={classes.part}>{words.answerHeaders}</p>
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
