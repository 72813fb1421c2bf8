import { expect, test, vi } from 'vitest';
import { session } from '../app/session';
import { inLanguage } from '../i18n/testing';
import { completeForEveryone, showReference } from './reference';

test('names the copy buttons of the reference in the language of the panel', () =>
  inLanguage('de', () => {
    const root = document.createElement('div');
    root.innerHTML = '<button class="scalar-code-copy"></button><ul class="endpoints"></ul>';
    const stop = completeForEveryone(root);
    stop();
    expect(root.querySelector('button')?.getAttribute('aria-label')).toBe('Kopieren');
    expect(root.querySelector('ul')?.tabIndex).toBe(0);
  }));

/** Replaces Scalar. Returns its functions. */
function mockScalar() {
  const destroy = vi.fn();
  const createApiReference = vi.fn((root: Element, _configuration: object) => {
    root.textContent = 'drawn';
    return { updateConfiguration: vi.fn(), destroy };
  });
  vi.stubGlobal('Scalar', { createApiReference });
  return { destroy, createApiReference };
}

test('draws the reference once for a scheme, key and language', async () => {
  const { destroy, createApiReference } = mockScalar();
  const place = document.createElement('div');
  const hide = showReference(place, false, 'key');
  const drawn = place.querySelector('section');
  expect([drawn?.textContent, drawn?.hidden]).toEqual(['drawn', false]);
  hide();
  expect([place.firstElementChild, drawn?.hidden]).toEqual([drawn, true]);
  const append = vi.spyOn(place, 'append');
  showReference(place, false, 'key');
  expect([drawn?.hidden, append.mock.calls.length]).toEqual([false, 0]);
  expect([createApiReference.mock.calls.length, destroy.mock.calls.length]).toEqual([1, 0]);
  showReference(place, true, 'key');
  expect([createApiReference.mock.calls.length, destroy.mock.calls.length]).toEqual([2, 1]);
  await inLanguage('de', () => {
    showReference(place, true, 'key');
    expect(createApiReference).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ localization: { locale: 'de' } }),
    );
  });
  expect(place.childElementCount).toBe(1);
});

test('does not show the reference of another workspace', () => {
  mockScalar();
  const [one, other] = [document.createElement('div'), document.createElement('div')];
  showReference(one, false, 'one')();
  showReference(other, false, 'other');
  expect([one.childElementCount, other.childElementCount]).toEqual([0, 1]);
});

test('removes the reference when the user signs out', async () => {
  const { destroy } = mockScalar();
  const place = document.createElement('div');
  const hide = showReference(place, false, 'another key');
  await session.signOut();
  expect([place.childElementCount, destroy.mock.calls.length]).toEqual([0, 1]);
  hide();
  showReference(place, false, 'another key');
  expect(place.childElementCount).toBe(1);
});
