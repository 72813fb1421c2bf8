import { Group, Text } from '@mantine/core';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { texts } from '../i18n/texts';
import classes from './members.module.css';

const t = texts('members');

interface Props {
  link: string;
  /** Whom it is for. */
  whom: string;
  /** How often it is good, and that it is not shown again. */
  once: string;
  /** What leads away. */
  children: React.ReactNode;
}

/** A link to hand over, which is not shown again. */
export function ShownOnce({ link, whom, once, children }: Props) {
  return (
    <>
      <Text mb="sm">{whom}</Text>
      <div className={classes.link}>
        <Code text={link} what={t('link')} />
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {once}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <CopyButton text={link} what={t('link')} />
        {children}
      </Group>
    </>
  );
}
