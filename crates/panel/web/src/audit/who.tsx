import { texts } from '../i18n/texts';
import type { Names } from '../usage/api';
import type { AuditEntry } from './api';

const t = texts('audit');

/** The name of an actor, or its ID if the name is unknown. */
export function whoOf({ type, id }: AuditEntry['actor'], names: Names | undefined): string {
  if (!id) return type === 'system' ? t('system') : type.replaceAll('_', ' ');
  return names?.people[id] ?? names?.keys.find((key) => key.id === id)?.name ?? id;
}

/** The filter value for an actor: its ID, or its type if it has no ID. */
export function wordOf({ type, id }: AuditEntry['actor']): string {
  return id ?? type;
}
