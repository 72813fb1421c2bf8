import { Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Failure, Waiting } from '../components/states';
import { en } from '../i18n/en';
import { counted, type Told } from './finding';
import { Findings } from './findings';
import classes from './json.module.css';
import type { useValidation } from './validation';

const words = en.flows;

interface Props {
  validation: ReturnType<typeof useValidation>;
  /** Whether the text is no definition at all. */
  broken: boolean;
  onOpen: (finding: Told) => void;
}

/** What the analyser finds in the text beside it. */
export function JsonFindings({ validation, broken, onOpen }: Props) {
  const { data, error, refetch } = validation;
  return (
    <aside className={classes.findings} aria-labelledby="findings">
      <Title order={2} id="findings">
        {words.findings}
      </Title>
      {broken ? (
        <Text c="dimmed">{words.findingsBroken}</Text>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={3} />
      ) : data.length === 0 ? (
        <p className={classes.fine} role="status">
          <IconCircleCheck size={16} aria-hidden /> {words.noFindings}
        </p>
      ) : (
        <>
          <p className={classes.count} role="status">
            {words.findingsCount(counted(data))}
          </p>
          <Findings label={words.findings} findings={data} onOpen={onOpen} />
        </>
      )}
    </aside>
  );
}
