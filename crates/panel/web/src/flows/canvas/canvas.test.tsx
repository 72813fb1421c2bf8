import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { ReactFlowProvider } from '@xyflow/react';
import { expect, test, vi } from 'vitest';
import type { Definition } from '../definition';
import { curve } from './curve';
import { FlowCanvas } from './flow-canvas';
import { useOffer } from './use-offer';

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

test('arrow keys move between nodes, and Delete reconnects the neighbours', () => {
  const change = vi.fn();
  show({ onChange: change });
  card('Start from the API or another flow').focus();
  fireEvent.keyDown(card('Start from the API or another flow'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(card('Send message Hi'));
  expect(card('Send message Hi').getAttribute('aria-pressed')).toBe('true');
  fireEvent.keyDown(card('Send message Hi'), { key: 'Delete' });
  expect(change).toHaveBeenCalledExactlyOnceWith({ start: 'done', nodes: [{ id: 'done', type: 'end' }] });
});

test('a read-only canvas deletes no nodes', () => {
  const select = vi.fn();
  show({ onSelect: select, findings: [] });
  fireEvent.keyDown(card('Send message Hi'), { key: 'Enter' });
  expect(select).toHaveBeenLastCalledWith(['greet']);
  fireEvent.keyDown(card('Send message Hi'), { key: 'Delete' });
  expect(card('Send message Hi')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Arrange' })).toBeNull();
});

test('moves and selects several cards by keyboard', () => {
  const [change, select] = [vi.fn(), vi.fn()];
  show({ onChange: change, onSelect: select });
  const greet = card('Send message Hi');
  fireEvent.keyDown(greet, { key: 'Enter' });
  fireEvent.keyDown(greet, { key: 'ArrowRight', shiftKey: true });
  fireEvent.keyDown(greet, { key: 'ArrowDown', shiftKey: true });
  const [right, down] = change.mock.calls.map(([{ layout }]) => layout);
  expect(right.greet.x - down.greet.x).toBe(16);
  expect(down.greet.y - right.greet.y).toBe(16);
  expect(right.done).toEqual(down.done);
  greet.focus();
  fireEvent.keyDown(greet, { key: 'ArrowDown', ctrlKey: true });
  const done = document.activeElement as HTMLElement;
  expect(done.dataset.card).toBe('done');
  expect(select).toHaveBeenLastCalledWith(['greet']);
  fireEvent.keyDown(done, { key: ' ', ctrlKey: true });
  expect(select).toHaveBeenLastCalledWith(['greet', 'done']);
  fireEvent.keyDown(done, { key: ' ', ctrlKey: true });
  expect(select).toHaveBeenLastCalledWith(['greet']);
});

/** A flow that is too large for any window. */
const LONG: Definition = {
  start: 'n0',
  nodes: Array.from({ length: 62 }, (_, at) => ({
    id: `n${at}`,
    type: 'note',
    text: `${at}`,
    next: `n${at + 1}`,
  })),
};
const shownAt = () => {
  const style = document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform ?? '';
  const [x = 0, y = 0, zoom = 0] = [...style.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number));
  return { x, y, zoom };
};

test('opens at the current step of a run, and follows the run', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...window.matchMedia(''), matches: true });
  const canvas = (at: string) => (
    <MantineProvider env="test">
      <FlowCanvas definition={LONG} lit={{ nodes: new Set([at]), edges: new Set(), at }} selected={[at]} />
    </MantineProvider>
  );
  const { rerender } = render(canvas('n40'));
  await waitFor(() => expect(shownAt().y).toBeLessThan(-3000));
  const before = shownAt();
  rerender(canvas('n60'));
  await waitFor(() => expect(shownAt().y).toBeLessThan(before.y - 1000));
});

test('Fit shows the beginning of a long flow at a readable scale', async () => {
  show({ definition: LONG });
  fireEvent.click(await screen.findByRole('button', { name: 'Fit the window' }));
  await waitFor(() => expect(shownAt().zoom).toBe(0.5));
  expect(shownAt().y).toBeGreaterThan(0);
  expect(document.querySelector('[data-far]')).not.toBeNull();
});

test('a plus at an open exit and on an edge adds a step there', async () => {
  const add = vi.fn();
  const open: Definition = {
    start: 'ask',
    nodes: [{ id: 'ask', type: 'ask', message: { type: 'text', text: 'Why?' } }],
  };
  show({ definition: open, onChange: vi.fn(), onAdd: add });
  const pick = async (plus: string, name: string) => {
    fireEvent.click(await screen.findByRole('button', { name: plus, hidden: true }));
    fireEvent.click(await screen.findByRole('menuitem', { name }));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  await pick('Add a step after “Ask”, exit “no reply”', 'Delay');
  expect(add).toHaveBeenLastCalledWith('delay', { after: { from: 'ask', exit: 'on_timeout' } });
  await pick('Insert a step after “Start”', 'Note');
  expect(add).toHaveBeenLastCalledWith('note', { after: { from: '@start', exit: 'next' } });
});

test('a read-only canvas has no plus buttons', () => {
  show({});
  expect(screen.queryByRole('button', { name: /a step/, hidden: true })).toBeNull();
});

test('offers steps where a wire is dropped on the empty canvas', () => {
  const { result } = renderHook(() => useOffer(), { wrapper: ReactFlowProvider });
  const drop = (state: object) =>
    act(() =>
      result.current.onConnectEnd(new MouseEvent('mouseup', { clientX: 400, clientY: 240 }), state as never),
    );
  drop({ fromHandle: { type: 'target', nodeId: 'a', id: null }, toNode: null, isValid: false });
  drop({ fromHandle: { type: 'source', nodeId: 'a', id: 'next' }, toNode: { id: 'b' }, isValid: true });
  expect(result.current.offer).toBeUndefined();
  drop({ fromHandle: { type: 'source', nodeId: 'a', id: 'branches/0' }, toNode: null, isValid: null });
  expect(result.current.offer).toEqual({
    place: { after: { from: 'a', exit: 'branches/0' }, at: { x: 280, y: 240 } },
    x: 400,
    y: 240,
  });
});

test('draws edges straight down, and around if they lead back', () => {
  const down = curve({ sourceX: 0, sourceY: 0, targetX: 100, targetY: 200 });
  expect([down.labelX, down.labelY]).toEqual([50, 100]);
  const back = curve({ sourceX: 0, sourceY: 200, targetX: 100, targetY: 0 });
  expect(back.labelX).toBeLessThan(0);
});
