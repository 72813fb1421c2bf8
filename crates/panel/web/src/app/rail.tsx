import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArrowLeft,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSettings,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { texts } from '../i18n/texts';
import { useWhere } from './here';
import classes from './rail.module.css';
import { useIsInSettings, usePageBefore } from './rail-place';
import { settingsFor, type Wing, wingsFor } from './rooms';

const t = texts('shell');
const navigation = texts('navigation');

interface Props {
  narrow: boolean;
  setNarrow: (narrow: boolean) => void;
  /** Called when the user chose a page, to close the rail on a small screen. */
  leave: () => void;
}

/** The navigation: the pages in groups, or the pages of the settings. */
export function Rail({ narrow, setNarrow, leave }: Props) {
  const where = useWhere();
  const inSettings = useIsInSettings();
  const before = usePageBefore();
  const { box, changes } = useFocusAfterChange(inSettings);
  const pages = wingsFor(where);
  const settings = settingsFor(where);
  const label = narrow ? t('wideRail') : t('narrowRail');
  const first = pages[0]?.rooms[0]?.to ?? '/';
  const toSettings = settings[0]?.rooms[0]?.to ?? '/settings/profile';
  return (
    <div ref={box} className={classes.rail} data-narrow={narrow || undefined}>
      {inSettings && (
        <div className={classes.wing}>
          <Item
            to={before?.pathname ?? first}
            search={before?.search}
            label={navigation('back')}
            icon={IconArrowLeft}
            narrow={narrow}
            onClick={changes}
          />
          {!narrow && <h2 className={classes.heading}>{navigation('groups.settings')}</h2>}
        </div>
      )}
      <Wings wings={inSettings ? settings : pages} narrow={narrow} leave={leave} />
      {!inSettings && (
        <div className={classes.wing}>
          <Item
            to={toSettings}
            label={navigation('groups.settings')}
            icon={IconSettings}
            narrow={narrow}
            onClick={changes}
          />
        </div>
      )}
      <Tooltip label={label} position="right">
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.fold}
          visibleFrom="sm"
          aria-label={label}
          onClick={() => setNarrow(!narrow)}
        >
          {narrow ? <IconLayoutSidebarLeftExpand size={16} /> : <IconLayoutSidebarLeftCollapse size={16} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function Wings({ wings, narrow, leave }: { wings: Wing[] } & Pick<Props, 'narrow' | 'leave'>) {
  return wings.map((wing) => (
    <div key={wing.label ?? ''} className={classes.wing}>
      {wing.label && <div className={classes.label}>{wing.label}</div>}
      {wing.rooms.map(({ to, label, icon, Beside }) => (
        <Item key={to} to={to} label={label} icon={icon} Beside={Beside} narrow={narrow} onClick={leave} />
      ))}
    </div>
  ));
}

interface ItemProps {
  to: string;
  search?: object;
  label: string;
  icon: typeof IconSettings;
  Beside?: ComponentType;
  narrow: boolean;
  onClick: () => void;
}

function Item({ to, search, label, icon: Icon, Beside, narrow, onClick }: ItemProps) {
  return (
    <Tooltip label={label} position="right" disabled={!narrow}>
      <Link
        to={to}
        search={search as never}
        className={classes.room}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        onClick={onClick}
        aria-label={narrow ? label : undefined}
      >
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={classes.word}>{label}</span>
        {Beside && !narrow && (
          <Suspense>
            <Beside />
          </Suspense>
        )}
      </Link>
    </Tooltip>
  );
}

/**
 * Focuses the first link after the user switched between the pages and the settings, because the chosen link
 * was removed.
 */
function useFocusAfterChange(inSettings: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the navigation moves the focus
  useEffect(() => {
    if (isAsked.current) box.current?.querySelector('a')?.focus();
    isAsked.current = false;
  }, [inSettings]);
  const changes = () => {
    isAsked.current = true;
  };
  return { box, changes };
}
