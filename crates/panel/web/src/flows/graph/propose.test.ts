import { expect, test } from 'vitest';
import type { Branch, Definition, NodeOf } from '../definition';
import { addNode, nodeOf } from './edit';
import { proposedWay } from './propose';

const flow = (ask: Partial<NodeOf<'ask'>>): Definition => ({
  start: 'ask',
  nodes: [
    {
      id: 'ask',
      type: 'ask',
      message: { type: 'text', text: 'Size?' },
      save_to: 'vars.size',
      next: 'tag',
      on_timeout: 'late',
      ...ask,
    },
    { id: 'tag', type: 'add_tag', tag: 'x', next: 'end' },
    { id: 'late', type: 'note', text: 'late' },
    { id: 'end', type: 'end' },
  ],
});
const is = (value: unknown, field = 'vars.size') => ({ when: { field, op: 'eq' as const, value } });
const waysBehind = (definition: Definition, from: string, exit = 'next') => {
  const added = addNode(definition, 'branch', { after: { from, exit } });
  return (nodeOf(added.definition, added.id) as Branch).branches;
};

test('a branch after a question has a branch for each option', () => {
  const select = flow({ expect: 'select', options: ['S', 'L'] });
  expect(waysBehind(select, 'ask')).toEqual([is('S'), is('L')]);
  expect(waysBehind(select, 'tag')).toEqual([is('S'), is('L')]);
  const { definition, id } = addNode(select, 'branch', { after: { from: 'ask', exit: 'next' } });
  expect(nodeOf(definition, id)).toMatchObject({ otherwise: 'tag' });
});

test('uses quick replies as options, one branch for yes or no, and a text for other answers', () => {
  const quick_replies = [{ title: 'Red' }, { title: 'Blue' }];
  expect(waysBehind(flow({ message: { type: 'text', text: '?', quick_replies } }), 'ask')).toEqual([
    is('Red'),
    is('Blue'),
  ]);
  expect(waysBehind(flow({ expect: 'boolean' }), 'ask')).toEqual([is(true)]);
  expect(waysBehind(flow({ expect: 'email', save_to: 'contact.email' }), 'ask')).toEqual([is('', 'email')]);
});

test('a branch without a question starts with a tag', () => {
  const tag = [{ when: { field: 'tags', op: 'has', value: '' } }];
  expect(waysBehind(flow({}), 'ask', 'on_timeout')).toEqual(tag);
  expect(waysBehind(flow({}), 'late')).toEqual(tag);
  expect(waysBehind(flow({ save_to: undefined }), 'ask')).toEqual(tag);
});

test('one more branch is for the next option', () => {
  const select = flow({ expect: 'select', options: ['S', 'L'] });
  const { definition, id } = addNode(select, 'branch', { after: { from: 'ask', exit: 'next' } });
  expect(proposedWay(definition, id, [is('S')])).toEqual(is('L'));
  expect(proposedWay(definition, id, [is('S'), is('L')])).toEqual(is(''));
});
