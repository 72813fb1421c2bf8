import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { addAllTexts } from '../i18n/testing';
import { changedPlaces, readPage } from './page';

// After the modules of a test are evaluated: a module that reads a text at its top level fails here as in a
// browser.
beforeAll(addAllTexts);
// Hooks run in reverse order, so values that a component stores when it is removed are cleared too.
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
// A busy machine must not cause a failure.
configure({ asyncUtilTimeout: 5_000 });

// The next file of the process runs on the same page.
const before = readPage();
afterAll(() => {
  expect(changedPlaces(before, readPage()), 'changes that this file left on the page').toEqual([]);
});
