import { Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { counted, countsInWords, type Told } from './finding';
import { Findings } from './findings';
import classes from './json.module.css';
import type { NodeLabels } from './node-labels';
import type { useValidation } from './validation';

const t = texts('flows');

interface Props {
  validation: ReturnType<typeof useValidation>;
  /** The typed definition. `undefined` if the text is none. */
  definition: object | undefined;
  labels: NodeLabels;
  onOpen: (finding: Told) => void;
}

export function JsonFindings({ validation, definition, labels, onOpen }: Props) {
  const { data, error, refetch } = validation;
  return (
    <aside className={classes.findings} aria-labelledby="findings">
      <Title order={2} id="findings">
        {t('findings')}
      </Title>
      {definition === undefined ? (
        <Text c="dimmed">{t('findingsBroken')}</Text>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={3} />
      ) : data.length === 0 ? (
        <p className={classes.fine} role="status">
          <IconCircleCheck size={16} aria-hidden /> {t('noFindings')}
        </p>
      ) : (
        <>
          <p className={classes.count} role="status">
            {countsInWords(counted(data))}
          </p>
          <Findings
            label={t('findings')}
            findings={data}
            definition={definition}
            labels={labels}
            onOpen={onOpen}
          />
        </>
      )}
    </aside>
  );
}
