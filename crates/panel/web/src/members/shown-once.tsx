import { Group, Text } from '@mantine/core';
import { Code } from '../components/code';
import { CopyButton } from '../components/copy';
import { texts } from '../i18n/texts';
import classes from './members.module.css';

const t = texts('members');

interface Props {
  link: string;
  /** A sentence that names the user for the link. */
  whom: string;
  /** A note that the link is single-use and shown only once. */
  once: string;
  /** Buttons below the link. */
  children: React.ReactNode;
}

/** A link for another user that is shown only once. */
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
