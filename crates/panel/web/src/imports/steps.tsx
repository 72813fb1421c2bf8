import { Title, UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { texts } from '../i18n/texts';
import type { StepName } from './search';
import classes from './steps.module.css';

const t = texts('imports');

const STEPS: StepName[] = ['file', 'columns', 'check'];

interface Props {
  step: StepName;
  /** Whether the user changed the step. The focus then moves to its heading. */
  hasMoved: boolean;
  reachable: StepName[];
  onOpen: (step: StepName) => void;
}

/** The steps of an import, and the heading of the current one. */
export function Steps({ step, hasMoved, reachable, onOpen }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the step
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, [step, hasMoved]);
  return (
    <>
      <nav aria-label={t('stepsLabel')}>
        <ol className={classes.steps}>
          {STEPS.map((it, at) => (
            <li key={it}>
              <UnstyledButton
                className={classes.step}
                aria-current={it === step ? 'step' : undefined}
                disabled={!reachable.includes(it)}
                onClick={() => it !== step && onOpen(it)}
              >
                <span className={classes.number}>{at + 1}</span>
                {t(`steps.${it}`)}
              </UnstyledButton>
            </li>
          ))}
        </ol>
      </nav>
      <Title order={2} ref={heading} tabIndex={-1} className={classes.heading}>
        {t('stepOf', { at: STEPS.indexOf(step) + 1, name: t(`steps.${step}`) })}
      </Title>
    </>
  );
}
