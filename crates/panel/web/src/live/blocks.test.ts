import { expect, test } from 'vitest';
import { Blocks } from './blocks';

const TEXT =
  'retry: 2871\n\nid: 41\nevent: ready\ndata: {"position":41}\n\n:\n\n' +
  'event: changed\ndata: {"changed":{"type":"tag","id":"tag_1","version":1}}\n\n';

test('reads the same events from any chunks, and ignores comments', () => {
  const expected = [
    { event: 'ready', id: '41', data: { position: 41 } },
    { event: 'changed', id: undefined, data: { changed: { type: 'tag', id: 'tag_1', version: 1 } } },
  ];
  for (const size of [1, 7, TEXT.length]) {
    const blocks = new Blocks();
    const told = [];
    for (let at = 0; at < TEXT.length; at += size) told.push(...blocks.take(TEXT.slice(at, at + size)));
    expect(told).toEqual(expected);
    expect(blocks.retry).toBe(2871);
  }
});
