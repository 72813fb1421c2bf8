import { type Group, loadGroup } from './groups';
import { browserLanguages, initialLanguage, type Language, language, setLanguage } from './language';
import { preference, type Source } from './preference';
import { addTexts, hasTexts } from './store';

/** The groups that loaded modules use. */
const wanted = new Set<Group>();
const loads = new Map<string, Promise<void>>();

/** Notes that a module uses a group, and begins to load it. `textsReady` reports an error of this load. */
export function want(group: Group): void {
  wanted.add(group);
  load(language(), group).catch(() => undefined);
}

/** Loads a group unless it is loaded or being loaded. */
function load(of: Language, group: Group): Promise<void> {
  if (hasTexts(of, group)) return Promise.resolve();
  const name = `${of}/${group}`;
  const begun = loads.get(name);
  if (begun) return begun;
  const loading = loadGroup(of, group)
    .then((texts) => addTexts(of, group, texts))
    .finally(() => loads.delete(name));
  loads.set(name, loading);
  return loading;
}

async function loadWanted(of: () => Language): Promise<void> {
  const missing = () => [...wanted].filter((group) => !hasTexts(of(), group));
  for (let groups = missing(); groups.length > 0; groups = missing()) {
    await Promise.all(groups.map((group) => load(of(), group)));
  }
}

/** Resolves when the texts of all loaded modules can be shown. `loadPart` waits for it, so no page shows keys. */
export function textsReady(): Promise<void> {
  return loadWanted(language);
}

/** Loads the texts of another language, then shows and stores it. The old language stays if a load fails. */
export async function switchLanguage(next: Language, source: Source = 'browser'): Promise<void> {
  await loadWanted(() => next);
  setLanguage(next);
  preference.store(next, source);
}

/** Removes the stored language, and shows the language of the browser. */
export async function followBrowser(): Promise<void> {
  const next = initialLanguage(undefined, browserLanguages());
  await loadWanted(() => next);
  setLanguage(next);
  preference.clear();
}
