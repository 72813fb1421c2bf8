import { ActionIcon, Drawer, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { texts } from '../i18n/texts';
import classes from './side-drawer.module.css';

const common = texts('common');

interface Props {
  /** A description of the content. */
  label: string;
  /** The ID of the open object. `undefined` closes the drawer. */
  id: string | undefined;
  /** Returns a function that opens the previous (-1) or next (1) object, if there is one. */
  step: (by: 1 | -1) => (() => void) | undefined;
  onClose: () => void;
  children: React.ReactNode;
}

/** The `step` of a drawer that shows a row of a list. `show` opens a row. */
export function stepIn(ids: string[], open: string | undefined, show: (id: string) => void): Props['step'] {
  const at = open === undefined ? -1 : ids.indexOf(open);
  return (by) => {
    const next = at < 0 ? undefined : ids[at + by];
    return next === undefined ? undefined : () => show(next);
  };
}

/** Details beside a list that stays usable. On a small screen they cover the list. */
export function SideDrawer({ label, id, step, onClose, children }: Props) {
  const small = useMediaQuery('(max-width: 62em)', false);
  if (small) {
    return (
      <Drawer
        opened={id !== undefined}
        onClose={onClose}
        title={label}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        {children}
      </Drawer>
    );
  }
  return id === undefined ? null : (
    <Beside label={label} id={id} step={step} onClose={onClose}>
      {children}
    </Beside>
  );
}

function Beside({ label, id, step, onClose, children }: Props & { id: string }) {
  const drawer = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);

  useEffect(() => {
    opener.current = document.activeElement;
    drawer.current?.focus();
    return () => (opener.current as HTMLElement | null)?.focus?.({ preventScroll: true });
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each object is shown from its top
  useEffect(() => {
    drawer.current?.scrollTo?.(0, 0);
  }, [id]);

  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      const elsewhere = (event.target as Element | null)?.closest?.(
        'input, [role="dialog"], [role="listbox"]',
      );
      if (event.key === 'Escape' && !event.defaultPrevented && !elsewhere) onClose();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [onClose]);

  const [above, below] = [step(-1), step(1)];
  const walk = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const go = { j: below, k: above }[event.key];
    if (go) {
      event.preventDefault();
      go();
    }
  };
  return (
    <aside
      ref={drawer}
      className={classes.drawer}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={walk}
      data-beside
    >
      <div className={classes.bar}>
        {(above || below) && (
          <>
            <Step label={common('previous')} onClick={above} icon={<IconChevronUp size={16} />} />
            <Step label={common('next')} onClick={below} icon={<IconChevronDown size={16} />} />
          </>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={common('close')}
          onClick={onClose}
          className={classes.close}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
      {children}
    </aside>
  );
}

function Step({ label, onClick, icon }: { label: string; onClick?: () => void; icon: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={!onClick}
        data-disabled={!onClick || undefined}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
