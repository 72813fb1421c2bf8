import type { Definition, FlowNode, NodeType, Trigger, TriggerType } from '../definition';

/** Returns an unused ID: the word, or the word with a number. */
export function freshId(word: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  const base = word.replaceAll('_', '-').slice(0, 56);
  if (!known.has(base)) return base;
  for (let number = 2; ; number += 1) if (!known.has(`${base}-${number}`)) return `${base}-${number}`;
}

/** Removes the number that `freshId` added. */
export function stem(id: string): string {
  return id.replace(/-\d+$/, '');
}

/** A new node from the palette. Its missing values are findings until the user enters them. */
export function blankNode(type: NodeType, id: string): FlowNode {
  const text = { type: 'text', text: '' } as const;
  switch (type) {
    case 'send_message':
      return { id, type, message: text };
    case 'ask':
      return { id, type, message: text, expect: 'text', save_to: 'vars.answer' };
    case 'wait_for_event':
      return { id, type, custom_event: '', timeout: 'P1D' };
    case 'delay':
      return { id, type, for: 'P1D' };
    case 'branch':
      return { id, type, branches: [{ when: { field: 'tags', op: 'has', value: '' } }] };
    case 'split':
      return { id, type, arms: [{ weight: 1 }, { weight: 1 }] };
    case 'set_field':
      return { id, type, field: 'vars.answer', value: '' };
    case 'set_bot_field':
      return { id, type, field: '', value: '' };
    case 'add_tag':
    case 'remove_tag':
      return { id, type, tag: '' };
    case 'enroll_sequence':
    case 'exit_sequence':
      return { id, type, sequence: '' };
    case 'http_request':
      return { id, type, method: 'POST', url: 'https://' };
    case 'note':
      return { id, type, text: '' };
    case 'start_flow':
      return { id, type, flow_id: '' };
    case 'resolve_conversation':
    case 'assign_conversation':
    case 'end':
      return { id, type };
  }
}

export function blankTrigger(type: TriggerType): Trigger {
  switch (type) {
    case 'keyword':
      return { type, match: 'exact', keywords: [] };
    case 'referral':
      return { type, ref: '', match: 'exact' };
    case 'event':
      return { type, event: 'contact.created' };
    case 'custom_event':
      return { type, name: '' };
    case 'schedule':
      return { type, cron: '0 9 * * MON', audience: { field: 'subscribed', op: 'eq', value: true } };
  }
}

export function idsOf({ nodes }: Definition): string[] {
  return nodes.map((it) => it.id);
}
