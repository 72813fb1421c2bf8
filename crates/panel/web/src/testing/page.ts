/** Attributes of the page that Mantine and `i18n/language.ts` set. */
const SET_BY_MODULES = ['lang', 'data-mantine-color-scheme', 'data-respect-reduced-motion'];

/** Global names that packages add when they are loaded. */
const OF_PACKAGES = /^(_|IS_REACT_ACT_ENVIRONMENT$)/;

/** Removes what the panel and its packages leave on the page on purpose. */
export function resetPage(): void {
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  // The router replaces methods of the history, and user-event the clipboard.
  for (const name of Object.getOwnPropertyNames(history)) Reflect.deleteProperty(history, name);
  Reflect.deleteProperty(navigator, 'clipboard');
  // jsdom follows the link to a part of the page only after the click.
  history.replaceState(null, '', '/');
}

/** The state of the page by place. A test must undo its changes, because a later file runs on the same page. */
export type PageState = ReadonlyMap<string, unknown>;

export function readPage(): PageState {
  const state = new Map<string, unknown>([['location', location.href]]);
  for (const element of [document.documentElement, document.body]) {
    for (const { name, value } of element.attributes) {
      if (!SET_BY_MODULES.includes(name)) state.set(`<${element.localName} ${name}>`, value);
    }
  }
  for (const [owner, object] of Object.entries({ window, document, navigator })) {
    for (const name of Object.getOwnPropertyNames(object)) {
      if (OF_PACKAGES.test(name) || name === 'clipboard') continue;
      // Node replaces some getters of `window` by their value at the first use.
      const value: unknown = Reflect.get(object, name);
      state.set(`${owner}.${name}`, typeof value === 'function' ? value : undefined);
    }
  }
  return state;
}

/** The places that differ between two states. */
export function changedPlaces(before: PageState, after: PageState): string[] {
  const places = new Set([...before.keys(), ...after.keys()]);
  return [...places].filter(
    (place) => before.has(place) !== after.has(place) || before.get(place) !== after.get(place),
  );
}
