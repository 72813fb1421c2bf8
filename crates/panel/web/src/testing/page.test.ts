import { afterEach, expect, test, vi } from 'vitest';
import { changedPlaces, readPage, resetPage } from './page';

const before = readPage();

afterEach(() => {
  vi.useRealTimers();
  history.replaceState(null, '', '/');
  document.body.removeAttribute('data-left');
  Reflect.deleteProperty(window, 'left');
  Reflect.deleteProperty(document, 'hidden');
});

test.each<[place: string, change: () => void]>([
  ['location', () => history.replaceState(null, '', '/left')],
  ['<body data-left>', () => document.body.setAttribute('data-left', '')],
  ['window.left', () => Object.assign(window, { left: 1 })],
  ['document.hidden', () => Object.defineProperty(document, 'hidden', { value: true, configurable: true })],
  ['window.fetch', () => vi.stubGlobal('fetch', () => undefined)],
  ['window.setTimeout', () => vi.useFakeTimers()],
])('notices a change of %s', (place, change) => {
  expect(changedPlaces(before, readPage())).toEqual([]);
  change();
  expect(changedPlaces(before, readPage())).toContain(place);
});

test('removes stored values, elements, replaced methods of the history, and the address', () => {
  localStorage.setItem('left', '1');
  sessionStorage.setItem('left', '1');
  document.body.append('left');
  history.pushState = () => undefined;
  location.hash = 'left';
  resetPage();
  expect([localStorage.length, sessionStorage.length, document.body.childNodes.length]).toEqual([0, 0, 0]);
  expect(Object.hasOwn(history, 'pushState')).toBe(false);
  expect(location.pathname + location.hash).toBe('/');
});
