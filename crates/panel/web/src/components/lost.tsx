import { Text } from '@mantine/core';
import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import classes from './lost.module.css';
import { typeName } from './type-name';

const common = texts('common');

interface LostProps {
  /** The deleted objects to which a stored object still refers. */
  references: components['schemas']['LostReference'][] | undefined;
  /** A sentence that ends in a colon. */
  children: string;
}

/** Names deleted objects. Shows nothing if there are none. */
export function Lost({ references = [], children }: LostProps) {
  if (references.length === 0) return null;
  return (
    <Text className={classes.lost} role="status">
      {children}{' '}
      {references.map(({ type, name }) => common('typeAndName', { type: typeName(type), name })).join(', ')}
    </Text>
  );
}
