import type { ComponentType } from 'react';
import { useWhere } from '../app/here';
import { Page } from './page';
import { Empty } from './states';

/** The name of a text of a page for admins. */
type Word = 'title' | 'forAdmins' | 'forAdminsHint';

/** A page that only admins see. Other users see whom they can ask. */
export function adminPage(words: (key: Word) => string, Content: ComponentType): ComponentType {
  return function AdminPage() {
    if (useWhere().administers) return <Content />;
    return (
      <Page title={words('title')}>
        <Empty title={words('forAdmins')}>{words('forAdminsHint')}</Empty>
      </Page>
    );
  };
}
