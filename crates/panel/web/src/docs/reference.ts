/** What the page needs of Scalar, whose script is loaded when the page opens. */
interface Shown {
  updateConfiguration: (configuration: object) => void;
  destroy: () => void;
}

declare global {
  interface Window {
    Scalar?: { createApiReference: (element: Element, configuration: object) => Shown };
    /** How `/docs` shows the reference. */
    tidingsReference?: object;
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

/** The configuration of `/docs`, for the shell: in its scheme, and with a key filled in. */
export function configuration(dark: boolean, key: string | undefined): object {
  return {
    ...window.tidingsReference,
    forceDarkModeState: dark ? 'dark' : 'light',
    darkMode: dark,
    hideDarkModeToggle: true,
    authentication: {
      preferredSecurityScheme: 'api_key',
      ...(key ? { securitySchemes: { api_key: { token: key } } } : {}),
    },
  };
}
