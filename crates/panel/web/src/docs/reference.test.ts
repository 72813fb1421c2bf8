import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { completeForEveryone } from './reference';

test('a copy button of the reference has a name in the language of the panel', () =>
  inLanguage('de', () => {
    const root = document.createElement('div');
    root.innerHTML = '<button class="scalar-code-copy"></button><ul class="endpoints"></ul>';
    const stop = completeForEveryone(root);
    stop();
    expect(root.querySelector('button')?.getAttribute('aria-label')).toBe('Kopieren');
    expect(root.querySelector('ul')?.tabIndex).toBe(0);
  }));
