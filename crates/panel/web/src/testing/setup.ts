import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { addAllTexts } from '../i18n/testing';

// After the modules of a test are evaluated: a module that reads a text at its top level fails here as in a
// browser.
beforeAll(addAllTexts);
afterEach(cleanup);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
// A busy machine must not cause a failure.
configure({ asyncUtilTimeout: 5_000 });

// Browser features that Mantine needs and jsdom lacks.
Object.defineProperty(window, 'matchMedia', {
  value: vi.fn((query: string) => ({
    matches: false,
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    addListener: vi.fn(),
    removeListener: vi.fn(),
    dispatchEvent: vi.fn(),
  })),
});
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = Observer;
window.IntersectionObserver = Observer as unknown as typeof IntersectionObserver;
Element.prototype.scrollIntoView = () => undefined;
Blob.prototype.arrayBuffer ??= function (this: Blob) {
  return new Promise((read) => {
    const reader = new FileReader();
    reader.onload = () => read(reader.result as ArrayBuffer);
    reader.readAsArrayBuffer(this);
  });
};
