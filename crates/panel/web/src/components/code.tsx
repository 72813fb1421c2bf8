import { texts } from '../i18n/texts';
import classes from './code.module.css';
import { CopyIcon } from './copy';
import { type Call, curl } from './curl';

const common = texts('common');

/** A block of text with a copy button. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyIcon text={text} what={what} />
      </div>
    </div>
  );
}

/** The `curl` command for a request. */
export function Curl({ call }: { call: Call }) {
  return <Code text={curl(call)} what={common('curl')} />;
}
