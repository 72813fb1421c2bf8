import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Told } from './finding';
import classes from './findings.module.css';

const t = texts('flows');

interface Props {
  label: string;
  findings: Told[];
  /** Opens the location of a finding. */
  onOpen?: (finding: Told) => void;
}

export function Findings({ label, findings, onOpen }: Props) {
  return (
    <section aria-label={label}>
      <ul className={classes.findings}>
        {findings.map((it) => (
          <li key={`${it.pointer} ${it.code} ${it.message}`} data-severity={it.severity}>
            {it.severity === 'error' ? (
              <IconCircleX size={16} className={classes.bad} aria-label={t('error')} />
            ) : (
              <IconAlertTriangle size={16} className={classes.wait} aria-label={t('warning')} />
            )}
            <div className={classes.words}>
              <span>{it.message}</span>
              {it.hint && <span className="dimmed"> {it.hint}</span>}
              {it.alternatives.length > 0 && (
                <span className="dimmed">
                  {' '}
                  {t('didYouMean', { names: list(it.alternatives, 'disjunction') })}
                </span>
              )}
              <div className={classes.place}>
                {onOpen ? (
                  <button type="button" className={classes.open} onClick={() => onOpen(it)}>
                    <code>{it.pointer || '/'}</code>
                  </button>
                ) : (
                  <code>{it.pointer || '/'}</code>
                )}
                <span className="dimmed">{it.code}</span>
                {it.path.length > 1 && <span className="dimmed">{it.path.join(' → ')}</span>}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
