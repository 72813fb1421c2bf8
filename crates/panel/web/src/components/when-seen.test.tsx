import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { WhenSeen } from './when-seen';

test('draws an element below the window when it comes near', () => {
  let see: (entries: { isIntersecting: boolean }[]) => void = () => {};
  class Observer {
    constructor(report: typeof see) {
      see = report;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const { container } = render(<WhenSeen height={180}>Chart</WhenSeen>);
  act(() => see([{ isIntersecting: false }]));
  expect(screen.queryByText('Chart')).toBeNull();
  expect((container.firstElementChild as HTMLElement).style.height).toBe('180px');
  act(() => see([{ isIntersecting: true }]));
  expect(screen.getByText('Chart')).toBeTruthy();
});
