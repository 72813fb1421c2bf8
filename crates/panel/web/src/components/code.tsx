import { texts } from '../i18n/texts';
import classes from './code.module.css';
import { CopyIcon } from './copy';
import { type Call, curl } from './curl';

const common = texts('common');

/** A text that is pasted elsewhere. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyIcon text={text} what={what} />
      </div>
    </div>
  );
}

/** The `curl` that makes a call. */
export function Curl({ call }: { call: Call }) {
  return <Code text={curl(call)} what={common('curl')} />;
}
