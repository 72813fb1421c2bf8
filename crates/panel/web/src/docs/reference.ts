import { session } from '../app/session';
import { type Language, language } from '../i18n/language';
import { texts } from '../i18n/texts';
import classes from './page.module.css';

const t = texts('docs');
const common = texts('common');

/** The used part of Scalar. Its script is loaded when the page opens. */
interface Shown {
  updateConfiguration: (configuration: object) => void;
  destroy: () => void;
}

declare global {
  interface Window {
    Scalar?: { createApiReference: (element: Element, configuration: object) => Shown };
    /** The configuration of the reference at `/docs`. */
    tidingsReference?: { customCss?: string };
  }
}

const SCRIPTS = ['/docs/scalar-1.72.1.js', '/docs/start.js'];
let loading: Promise<void> | undefined;

function load(source: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const script = document.createElement('script');
    script.src = source;
    // Scripts load at the same time, and run in the order of this list.
    script.async = false;
    script.onload = () => loaded();
    script.onerror = () => {
      script.remove();
      failed(new Error(source));
    };
    document.head.append(script);
  });
}

/** Loads the scripts of the reference once. After a failure, the next call tries again. */
export function loadReference(): Promise<void> {
  loading ??= Promise.all(SCRIPTS.map(load)).then(
    () => undefined,
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/**
 * The fonts and colours of the panel, and larger targets for touch (WCAG 2.2, 2.5.8). Operations outside the window are
 * laid out when they come near: the whole reference takes hundreds of milliseconds.
 */
const LOOK = `
  :root {
    --scalar-font: var(--mantine-font-family);
    --scalar-font-code: var(--mantine-font-family-monospace);
  }
  .dark-mode {
    --scalar-background-1: var(--mantine-color-body);
    --scalar-background-2: var(--mantine-color-dark-6);
    --scalar-background-3: var(--mantine-color-dark-5);
    --scalar-border-color: var(--line);
  }
  .references-rendered .section {
    content-visibility: auto;
    contain-intrinsic-size: auto 900px;
  }
  [data-sidebar-id] button {
    min-width: 24px;
    min-height: 24px;
  }
  .response-card .code-copy {
    margin-left: 8px;
  }
  .scalar-card-checkbox-checkmark {
    outline: 1px solid var(--scalar-color-3);
    outline-offset: -1px;
  }
`;

/** The configuration of `/docs`, with the panel's style, colour scheme and language, and an API key. */
export function configuration(dark: boolean, key: string | undefined): object {
  const { customCss = '', ...usual } = window.tidingsReference ?? {};
  return {
    ...usual,
    customCss: customCss + LOOK,
    // The panel uses `Ctrl K`.
    searchHotKey: 'i',
    forceDarkModeState: dark ? 'dark' : 'light',
    darkMode: dark,
    hideDarkModeToggle: true,
    localization: { locale: language() },
    authentication: {
      preferredSecurityScheme: 'api_key',
      ...(key ? { securitySchemes: { api_key: { token: key } } } : {}),
    },
  };
}

/**
 * Labels buttons without a name and makes scrolling lists focusable. Repeats it after each change of the
 * page, until the returned function is called.
 */
export function completeForEveryone(root: HTMLElement): () => void {
  const complete = () => {
    for (const button of root.querySelectorAll('button.scalar-code-copy:not([aria-label])')) {
      button.setAttribute('aria-label', common('copy'));
    }
    for (const list of root.querySelectorAll<HTMLElement>('.endpoints:not([tabindex])')) list.tabIndex = 0;
  };
  const watcher = new MutationObserver(complete);
  watcher.observe(root, { childList: true, subtree: true });
  complete();
  return () => watcher.disconnect();
}

/** A reference that is drawn: it takes seconds to draw. */
interface Drawn {
  root: HTMLElement;
  dark: boolean;
  key: string | undefined;
  language: Language;
  destroy: () => void;
}

let kept: Drawn | undefined;

/**
 * Shows the reference in this place. The returned function hides it. It stays in the document for the next visit of the
 * page, which then takes less time than to insert it again.
 */
export function showReference(place: HTMLElement, dark: boolean, key: string | undefined): () => void {
  const scalar = window.Scalar;
  if (!scalar) return () => {};
  if (!kept || kept.dark !== dark || kept.key !== key || kept.language !== language()) {
    kept?.destroy();
    kept = draw(scalar, place, dark, key);
  }
  const { root } = kept;
  // Another workspace has another place.
  if (root.parentElement !== place) place.append(root);
  root.hidden = false;
  return () => {
    root.hidden = true;
  };
}

function draw(
  scalar: NonNullable<Window['Scalar']>,
  place: HTMLElement,
  dark: boolean,
  key: string | undefined,
): Drawn {
  const root = document.createElement('section');
  root.setAttribute('aria-label', t('reference'));
  root.className = classes.reference ?? '';
  const content = document.createElement('div');
  root.append(content);
  place.append(root);
  const shown = scalar.createApiReference(content, configuration(dark, key));
  const stop = completeForEveryone(content);
  // The reference contains a key of the user.
  const unsubscribe = session.subscribe(() => {
    if (session.snapshot().state !== 'out') return;
    kept?.destroy();
    kept = undefined;
  });
  const destroy = () => {
    unsubscribe();
    stop();
    shown.destroy();
    root.remove();
  };
  return { root, dark, key, language: language(), destroy };
}
