import { Text } from '@mantine/core';
import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import classes from './lost.module.css';
import { typeName } from './type-name';

const common = texts('common');

interface LostProps {
  /** Deleted objects that a stored object still references. */
  references: components['schemas']['LostReference'][] | undefined;
  /** A sentence that ends with a colon. */
  children: string;
}

/** Lists deleted objects that are still referenced. Shows nothing if there are none. */
export function Lost({ references = [], children }: LostProps) {
  if (references.length === 0) return null;
  // Former members do not prevent anything, so the sentence does not apply to them.
  const members = references.filter(({ type }) => type === 'member').map(({ name }) => name);
  const objects = references
    .filter(({ type }) => type !== 'member')
    .map(({ type, name }) => common('typeAndName', { type: typeName(type), name }));
  return (
    <Text className={classes.lost} role="status">
      {objects.length > 0 && `${children} ${objects.join(', ')}`}
      {objects.length > 0 && members.length > 0 && <br />}
      {members.length > 0 && common('formerMembers', { members: members.join(', ') })}
    </Text>
  );
}
