import { useEffect } from 'react';
import { useWhere } from '../app/here';
import { en } from '../i18n/en';

/** Names the page in the window: what it is, and where. */
export function useTitle(title: string): void {
  const { live, inSandbox } = useWhere();
  useEffect(() => {
    const parts = [title, inSandbox ? en.shell.sandbox : undefined, live.name, en.common.product];
    document.title = parts.filter((it, at) => it && parts.indexOf(it) === at).join(' · ');
  }, [title, live.name, inSandbox]);
}
