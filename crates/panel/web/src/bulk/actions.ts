import type { CustomField } from '../contact/draft';
import { customValue } from '../contact/draft';
import type { BulkAction } from './api';

export type Kind = BulkAction['type'];

/** The actions for members, and those for owners and admins, in the order of the form. */
const OF_MEMBERS: Kind[] = ['tag', 'set_field', 'clear_field', 'enroll', 'start_flow'];
const OF_ADMINS: Kind[] = [
  'tag',
  'untag',
  'set_field',
  'clear_field',
  'subscribe',
  'enroll',
  'start_flow',
  'delete',
];

export const kindsFor = (administers: boolean): Kind[] => (administers ? OF_ADMINS : OF_MEMBERS);

/** The state of the form. `object` is the ID of the tag, sequence or flow, or the key of the custom field. */
export interface Draft {
  kind: Kind;
  object: string | null;
  value: string | string[];
}

/** The action of the form. Absent until the form is complete. */
export function actionOf({ kind, object, value }: Draft, fields: CustomField[]): BulkAction | undefined {
  if (kind === 'delete' || kind === 'subscribe') return { type: kind };
  if (!object) return undefined;
  switch (kind) {
    case 'tag':
    case 'untag':
      return { type: kind, tag_id: object };
    case 'enroll':
      return { type: kind, sequence_id: object };
    case 'start_flow':
      return { type: kind, flow_id: object };
    case 'clear_field':
      return { type: kind, field: object };
    case 'set_field': {
      const type = fields.find(({ key }) => key === object)?.type ?? 'text';
      const set = customValue(value, type);
      return set === null ? undefined : { type: kind, field: object, value: set };
    }
  }
}

export function shownValue(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
