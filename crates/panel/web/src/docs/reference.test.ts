import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { completeForEveryone, showReference } from './reference';

test('a copy button of the reference has a name in the language of the panel', () =>
  inLanguage('de', () => {
    const root = document.createElement('div');
    root.innerHTML = '<button class="scalar-code-copy"></button><ul class="endpoints"></ul>';
    const stop = completeForEveryone(root);
    stop();
    expect(root.querySelector('button')?.getAttribute('aria-label')).toBe('Kopieren');
    expect(root.querySelector('ul')?.tabIndex).toBe(0);
  }));

test('the reference is drawn once for a scheme, key and language, and kept between visits', async () => {
  const destroy = vi.fn();
  const createApiReference = vi.fn((root: Element, _configuration: object) => {
    root.textContent = 'drawn';
    return { updateConfiguration: vi.fn(), destroy };
  });
  window.Scalar = { createApiReference };
  const [first, second] = [document.createElement('section'), document.createElement('section')];
  showReference(first, false, 'key')();
  expect(first.textContent).toBe('');
  const hide = showReference(second, false, 'key');
  expect(second.textContent).toBe('drawn');
  hide();
  expect([createApiReference.mock.calls.length, destroy.mock.calls.length]).toEqual([1, 0]);
  showReference(first, true, 'key');
  expect([createApiReference.mock.calls.length, destroy.mock.calls.length]).toEqual([2, 1]);
  await inLanguage('de', () => {
    showReference(first, true, 'key');
    expect(createApiReference).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ localization: { locale: 'de' } }),
    );
  });
  window.Scalar = undefined;
});
