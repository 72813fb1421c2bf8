import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFirstFocus } from './use-first-focus';

function Panel({ fresh, children }: { fresh?: string; children?: React.ReactNode }) {
  const panel = useFirstFocus(fresh);
  return (
    <aside ref={panel} tabIndex={-1} aria-label="Panel">
      <button type="button">Close</button>
      <div data-form>{children}</div>
    </aside>
  );
}
const choice = <input aria-label="Type" defaultValue="Text" readOnly />;

test('focuses the first empty field of a new node only', () => {
  const form = (
    <>
      {choice}
      <textarea aria-label="Text" />
      <input aria-label="More" />
    </>
  );
  const { rerender } = render(<Panel>{form}</Panel>);
  expect(document.activeElement).toBe(document.body);
  rerender(<Panel fresh="a">{form}</Panel>);
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text' }));
});

test('focuses the first text field if none is empty', () => {
  render(
    <Panel fresh="a">
      {choice}
      <input aria-label="Count" defaultValue="1" />
    </Panel>,
  );
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Count' }));
});

test('focuses a loading form later, and the panel for a node without a form', async () => {
  const { rerender } = render(
    <Panel fresh="a">
      <button type="button">Remove</button>
    </Panel>,
  );
  expect(document.activeElement).toBe(document.body);
  rerender(
    <Panel fresh="a">
      <input aria-label="Late" />
    </Panel>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Late' })));
  rerender(<Panel fresh="b" />);
  expect(document.activeElement).toBe(screen.getByRole('complementary', { name: 'Panel' }));
});
