import { beforeEach, expect, test, vi } from 'vitest';
import type { Tree } from './keys';

const loadGroup = vi.fn<(language: string, group: string) => Promise<Tree>>();
vi.mock('./groups', () => ({ loadGroup: (language: string, group: string) => loadGroup(language, group) }));

/** The modules with nothing loaded, as when a page opens. */
async function fresh() {
  vi.resetModules();
  const [load, texts, language] = await Promise.all([
    import('./load'),
    import('./texts'),
    import('./language'),
  ]);
  return { ...load, ...texts, ...language };
}

beforeEach(() => {
  loadGroup.mockReset();
  loadGroup.mockImplementation(async (language) => ({ title: language === 'de' ? 'Posteingang' : 'Inbox' }));
});

test('loads a group once, only in the selected language', async () => {
  const { texts, textsReady } = await fresh();
  const t = texts('inbox');
  texts('inbox');
  await textsReady();
  expect(t('title')).toBe('Inbox');
  expect(loadGroup.mock.calls).toEqual([['en', 'inbox']]);
});

test('fails to read a text before its group is loaded', async () => {
  const { texts } = await fresh();
  const t = texts('inbox');
  expect(() => t('title')).toThrow(/title/);
});

test('shows another language when all its texts are loaded, and stores it', async () => {
  const { texts, textsReady, switchLanguage, language } = await fresh();
  const t = texts('inbox');
  await textsReady();
  let finish: (() => void) | undefined;
  loadGroup.mockImplementation(
    () =>
      new Promise((loaded) => {
        finish = () => loaded({ title: 'Posteingang' });
      }),
  );
  const switched = switchLanguage('de');
  expect([language(), t('title')]).toEqual(['en', 'Inbox']);
  finish?.();
  await switched;
  expect([language(), t('title'), document.documentElement.lang]).toEqual(['de', 'Posteingang', 'de']);
  const again = await fresh();
  expect(again.language()).toBe('de');
});

test('changes nothing if a language cannot be loaded, and can load it again', async () => {
  const { texts, textsReady, switchLanguage, language } = await fresh();
  const t = texts('inbox');
  await textsReady();
  loadGroup.mockRejectedValueOnce(new TypeError('away'));
  await expect(switchLanguage('de')).rejects.toThrow('away');
  expect([language(), t('title')]).toEqual(['en', 'Inbox']);
  await switchLanguage('de');
  expect(t('title')).toBe('Posteingang');
});

test('reports a loading error to the waiting part', async () => {
  loadGroup.mockRejectedValue(new TypeError('away'));
  const { texts, textsReady } = await fresh();
  texts('inbox');
  await expect(textsReady()).rejects.toThrow('away');
  loadGroup.mockResolvedValue({ title: 'Inbox' });
  await textsReady();
});

test('uses the stored language, or the first supported language of the browser', async () => {
  const { initialLanguage } = await fresh();
  expect(initialLanguage('de', ['en-US'])).toBe('de');
  expect(initialLanguage('fr', ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(initialLanguage(undefined, ['DE'])).toBe('de');
  expect(initialLanguage(undefined, ['fr', 'toString'])).toBe('en');
});
