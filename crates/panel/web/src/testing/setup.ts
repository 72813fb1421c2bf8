import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { addAllTexts } from '../i18n/testing';

// Not before the modules of a test are evaluated: a module that reads a text at its top fails here as in a browser.
beforeAll(addAllTexts);
afterEach(cleanup);
// A machine that is busy is no failure.
configure({ asyncUtilTimeout: 5_000 });

// What Mantine asks of a browser and jsdom does not have.
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
