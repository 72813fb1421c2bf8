// Assigns texts to files of the build. Each group of texts is one file for each language. Groups of the first
// load are exceptions: all groups of the sign-in page are one file, and all groups that Home adds are one
// file.

/** The groups of the first load, by the name of their file without the language. */
export const FIRST_TEXTS = {
  'start-texts': ['common', 'login', 'problems'],
  'home-texts': ['home', 'navigation', 'shell'],
};

const TEXTS = /[\\/]i18n[\\/](en|de)[\\/]([\w-]+)\.ts$/;

/** The name of the file for a module with texts. `null` for other modules. */
export function textFile(module) {
  const [, language, group] = TEXTS.exec(module) ?? [];
  if (!group) return null;
  const first = Object.keys(FIRST_TEXTS).find((it) => FIRST_TEXTS[it].includes(group));
  return `${first ?? group}-${language}`;
}
