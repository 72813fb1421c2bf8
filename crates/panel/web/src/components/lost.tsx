import { Text } from '@mantine/core';
import type { components } from '../api/schema';
import classes from './lost.module.css';

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
      {children} {references.map((it) => `${it.type.replaceAll('_', ' ')} “${it.name}”`).join(', ')}
    </Text>
  );
}
