import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronUp, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { texts } from '../../i18n/texts';
import { useBarSlot } from '../bar-slot';
import type { Definition, Finding } from '../definition';
import { type Found, located } from '../graph/findings';
import { graphOf } from '../graph/graph';
import { cardTitle } from '../graph/summary';
import classes from './build.module.css';

const t = texts('flow-editor');
const flows = texts('flows');

interface Props {
  definition: Definition;
  findings: Finding[];
  /** Whether the analyser has answered. */
  known: boolean;
  /** Selects a node or trigger. */
  onOpen: (ids: string[]) => void;
}

/**
 * The findings of the analyser: their number in the bar of the flow, and the first finding or all of them
 * below the canvas. Without findings, nothing is below the canvas.
 */
export function FindingsBar({ definition, findings, known, onOpen }: Props) {
  const [open, setOpen] = useState(false);
  const found = located(definition, findings);
  const titles = new Map(graphOf(definition).vertices.map((it) => [it.id, cardTitle(it)]));
  const errors = findings.filter((it) => it.severity === 'error').length;
  const [first] = found;
  if (!first)
    return (
      known && (
        <InBar>
          <span className={classes.ready}>{flows('noFindings')}</span>
        </InBar>
      )
    );
  const line = (it: Found) => <Line found={it} title={it.vertex && titles.get(it.vertex)} onOpen={onOpen} />;
  return (
    <section className={classes.foot} aria-label={flows('findings')}>
      <div className={classes.footHead}>
        <InBar>
          <span className={classes.counts}>
            {errors > 0 && <b className={classes.bad}>{flows('errors', { count: errors })}</b>}
            {findings.length > errors && (
              <b className={classes.wait}>{flows('warnings', { count: findings.length - errors })}</b>
            )}
          </span>
        </InBar>
        <div className={classes.first}>{!open && line(first)}</div>
        {found.length > 1 && (
          <UnstyledButton className={classes.all} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('fewerFindings') : t('showAll')}
            {open ? <IconChevronDown size={14} /> : <IconChevronUp size={14} />}
          </UnstyledButton>
        )}
      </div>
      {open && (
        <ul className={classes.list}>
          {found.map((it) => (
            <li key={`${it.finding.pointer} ${it.finding.code} ${it.finding.message}`}>{line(it)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Shows the result of the validation in the bar of the flow. */
function InBar({ children }: { children: React.ReactNode }) {
  const slot = useBarSlot();
  return slot ? createPortal(children, slot) : children;
}

function Line({
  found: { finding, vertex },
  title,
  onOpen,
}: {
  found: Found;
  title: string | undefined;
  onOpen: Props['onOpen'];
}) {
  const Sign = finding.severity === 'error' ? IconCircleX : IconAlertTriangle;
  const text = (
    <>
      <Sign
        size={15}
        className={finding.severity === 'error' ? classes.bad : classes.wait}
        aria-label={flows(finding.severity)}
      />
      <span>
        {title && <b>{title}: </b>}
        {finding.message} {finding.hint && <span className="dimmed">{finding.hint}</span>}
      </span>
    </>
  );
  if (!vertex) return <span className={classes.line}>{text}</span>;
  return (
    <UnstyledButton className={classes.line} onClick={() => onOpen([vertex])}>
      {text}
    </UnstyledButton>
  );
}
