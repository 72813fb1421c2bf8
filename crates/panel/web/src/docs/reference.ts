import { texts } from '../i18n/texts';

const common = texts('common');

/** What the page needs of Scalar, whose script is loaded when the page opens. */
interface Shown {
  updateConfiguration: (configuration: object) => void;
  destroy: () => void;
}

declare global {
  interface Window {
    Scalar?: { createApiReference: (element: Element, configuration: object) => Shown };
    /** How `/docs` shows the reference. */
    tidingsReference?: { customCss?: string };
  }
}

const SCRIPTS = ['/docs/scalar-1.72.1.js', '/docs/start.js'];
let loading: Promise<void> | undefined;

function load(source: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const script = document.createElement('script');
    script.src = source;
    script.onload = () => loaded();
    script.onerror = () => {
      script.remove();
      failed(new Error(source));
    };
    document.head.append(script);
  });
}

/** Loads what shows the reference, once; after a failure the next call tries again. */
export function loadReference(): Promise<void> {
  loading ??= SCRIPTS.reduce((before, source) => before.then(() => load(source)), Promise.resolve()).catch(
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** The type of the shell, and targets that a finger finds (WCAG 2.2, 2.5.8). */
const LOOK = `
  :root {
    --scalar-font: var(--mantine-font-family);
    --scalar-font-code: var(--mantine-font-family-monospace);
  }
  .dark-mode {
    --scalar-background-1: var(--mantine-color-body);
    --scalar-border-color: var(--line);
  }
  [data-sidebar-id] button {
    min-width: 24px;
    min-height: 24px;
  }
`;

/** The configuration of `/docs`, for the shell: in its look and scheme, and with a key filled in. */
export function configuration(dark: boolean, key: string | undefined): object {
  const { customCss = '', ...usual } = window.tidingsReference ?? {};
  return {
    ...usual,
    customCss: customCss + LOOK,
    // `Ctrl K` is the panel's.
    searchHotKey: 'i',
    forceDarkModeState: dark ? 'dark' : 'light',
    darkMode: dark,
    hideDarkModeToggle: true,
    authentication: {
      preferredSecurityScheme: 'api_key',
      ...(key ? { securitySchemes: { api_key: { token: key } } } : {}),
    },
  };
}

/** Names what Scalar leaves without a name, and lets the keyboard reach what scrolls; again whenever it draws anew. */
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
