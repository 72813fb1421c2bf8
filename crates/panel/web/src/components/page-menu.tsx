import { ActionIcon, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCode, IconCopy, IconDots } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import { texts } from '../i18n/texts';

const common = texts('common');

interface PageDetails {
  id?: string;
  /** Shows the API request of the page. Absent if the page has none. */
  showCall?: () => void;
}

/** The ID and the API request of a page, if the page's menu contains them. */
export const PageDetailsContext = createContext<PageDetails | undefined>(undefined);

/** The menu items that copy the page's ID and show its API request. */
export function PageMenuItems() {
  const { id, showCall } = useContext(PageDetailsContext) ?? {};
  const clipboard = useClipboard();
  return (
    <>
      {id && (
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => clipboard.copy(id)}>
          {common('copyId')}
        </Menu.Item>
      )}
      {showCall && (
        <Menu.Item leftSection={<IconCode size={16} />} onClick={showCall}>
          {common('apiCall')}
        </Menu.Item>
      )}
    </>
  );
}

/** The menu of a page without other actions. */
export function PageMenu() {
  return (
    <Dots variant="default" size={36}>
      <IconDots size={18} />
    </Dots>
  );
}

/** A menu that copies the ID of an object. */
export function IdMenu({ id }: { id: string }) {
  return (
    <PageDetailsContext value={{ id }}>
      <Dots variant="subtle" size={28}>
        <IconDots size={16} />
      </Dots>
    </PageDetailsContext>
  );
}

interface DotsProps {
  variant: 'default' | 'subtle';
  size: number;
  children: React.ReactNode;
}

function Dots({ variant, size, children }: DotsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant={variant} color="gray" size={size} aria-label={common('more')}>
          {children}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <PageMenuItems />
      </Menu.Dropdown>
    </Menu>
  );
}
