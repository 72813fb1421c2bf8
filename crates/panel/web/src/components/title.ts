import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';

const navigation = texts('navigation');

/** Sets the title of the window to the page and the workspace. */
export function useTitle(title: string): void {
  const { live, inSandbox } = useWhere();
  useEffect(() => {
    const parts = [
      title,
      inSandbox ? navigation('pages.sandbox') : undefined,
      live.name,
      navigation('product'),
    ];
    document.title = parts.filter((it, at) => it && parts.indexOf(it) === at).join(' · ');
  }, [title, live.name, inSandbox]);
}
