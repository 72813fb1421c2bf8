import { texts } from '../i18n/texts';
import type { Action } from './actions';
import type { Conversation } from './views';

const t = texts('inbox');

/** The action that undoes an action on a conversation, or `undefined` if there is none. */
export function inverseOf(before: Conversation, action: Action, now: number): Action | undefined {
  switch (action.do) {
    case 'resolve':
    case 'snooze':
      return before.status === 'snoozed' && before.snoozed_until && Date.parse(before.snoozed_until) > now
        ? { do: 'snooze', until: before.snoozed_until }
        : { do: 'reopen' };
    case 'reopen':
      if (before.status === 'resolved') return { do: 'resolve' };
      return before.snoozed_until && Date.parse(before.snoozed_until) > now
        ? { do: 'snooze', until: before.snoozed_until }
        : undefined;
    case 'assign':
      return { do: 'assign', to: before.assignee_id };
    case 'read':
      return undefined;
  }
}

/** The toast's text for an action, such as "Conversation with Ada resolved". */
export function reportOf(action: Action, name: string): string | undefined {
  if (action.do === 'read') return undefined;
  if (action.do === 'assign' && action.to === null) return t('done.unassign', { name });
  return t(`done.${action.do}`, { name });
}
