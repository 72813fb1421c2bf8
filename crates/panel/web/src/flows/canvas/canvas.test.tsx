import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Definition } from '../definition';
import { curve } from './curve';
import { FlowCanvas } from './flow-canvas';

const FLOW: Definition = {
  start: 'greet',
  nodes: [
    { id: 'greet', type: 'send_message', message: { type: 'text', text: 'Hi' }, next: 'done' },
    { id: 'done', type: 'end' },
  ],
};
const show = (props: Partial<Parameters<typeof FlowCanvas>[0]>) =>
  render(
    <MantineProvider env="test">
      <div style={{ width: 800, height: 600 }}>
        <FlowCanvas definition={FLOW} {...props} />
      </div>
    </MantineProvider>,
  );
const card = (name: string) => screen.getByRole('button', { name, hidden: true });

test('nodes are walked by arrow keys, and Delete heals the way', () => {
  const change = vi.fn();
  show({ onChange: change });
  card('By the API or by another flow').focus();
  fireEvent.keyDown(card('By the API or by another flow'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(card('Send message Hi'));
  expect(card('Send message Hi').getAttribute('aria-pressed')).toBe('true');
  fireEvent.keyDown(card('Send message Hi'), { key: 'Delete' });
  expect(change).toHaveBeenCalledExactlyOnceWith({ start: 'done', nodes: [{ id: 'done', type: 'end' }] });
});

test('a canvas that is only read takes nothing away', () => {
  const select = vi.fn();
  show({ onSelect: select, findings: [] });
  fireEvent.keyDown(card('Send message Hi'), { key: 'Enter' });
  expect(select).toHaveBeenLastCalledWith(['greet']);
  fireEvent.keyDown(card('Send message Hi'), { key: 'Delete' });
  expect(card('Send message Hi')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Arrange' })).toBeNull();
});

test('what leads down is drawn straight, what leads back goes around', () => {
  const down = curve({ sourceX: 0, sourceY: 0, targetX: 100, targetY: 200 });
  expect([down.labelX, down.labelY]).toEqual([50, 100]);
  const back = curve({ sourceX: 0, sourceY: 200, targetX: 100, targetY: 0 });
  expect(back.labelX).toBeLessThan(0);
});
