import { useEffect, useRef } from 'react';
import { texts } from '../i18n/texts';
import { type Found, GROUPS } from './findings';
import classes from './search.module.css';

const t = texts('search');

interface Props {
  /** The results, in the order of the groups. */
  found: Found[];
  /** The index of the chosen result. */
  at: number;
  choose: (it: Found) => void;
  open: (it: Found) => void;
}

export function SearchResults({ found, at, choose, open }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector(`#finding-${at}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);
  const groups = GROUPS.map((group) => ({
    group,
    items: found.map((it, index) => ({ it, index })).filter(({ it }) => it.group === group),
  })).filter(({ items }) => items.length > 0);
  return (
    <div ref={box} role="listbox" id="findings" aria-label={t('results')} className={classes.list}>
      {groups.map(({ group, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options outside of a select
        <div key={group} role="group" aria-labelledby={`findings-${group}`}>
          <div id={`findings-${group}`} className={classes.group}>
            {t(`objects.${group}`)}
          </div>
          {items.map(({ it, index }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog's input handles the keys
            <div
              key={index}
              id={`finding-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={classes.option}
              onMouseMove={() => choose(it)}
              onClick={() => open(it)}
            >
              <span className={classes.label}>{it.label}</span>
              {it.hint && <span className={classes.hint}>{it.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
