import type { Group } from './groups';
import type { Tree } from './keys';
import { isLanguage, type Language, setLanguage } from './language';
import { addTexts } from './store';

const files = import.meta.glob<{ default: Tree }>('./{en,de}/*.ts', { eager: true });

/** The texts of all groups, by language and group. */
export const GROUPS = Object.entries(files).flatMap(([path, { default: texts }]) => {
  const [, language, group] = path.split(/[/.]+/);
  return isLanguage(language) ? [{ language, group: group as Group, texts }] : [];
});

/** Adds all texts at once, so a test can call `t` without a wait. */
export function addAllTexts(): void {
  for (const { language, group, texts } of GROUPS) addTexts(language, group, texts);
}

/** Runs a test in a language, and returns to English. */
export async function inLanguage(language: Language, run: () => void | Promise<void>): Promise<void> {
  setLanguage(language);
  try {
    await run();
  } finally {
    setLanguage('en');
  }
}
