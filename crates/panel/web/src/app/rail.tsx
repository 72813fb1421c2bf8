import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { texts } from '../i18n/texts';
import { useWhere } from './here';
import classes from './rail.module.css';
import { wingsFor } from './rooms';

const t = texts('shell');

interface Props {
  narrow: boolean;
  setNarrow: (narrow: boolean) => void;
  /** A page was chosen: on a small screen the rail goes. */
  leave: () => void;
}

/** The pages, in groups. */
export function Rail({ narrow, setNarrow, leave }: Props) {
  const where = useWhere();
  const label = narrow ? t('wideRail') : t('narrowRail');
  return (
    <div className={classes.rail} data-narrow={narrow || undefined}>
      {wingsFor(where).map((wing) => (
        <div key={wing.label ?? ''} className={classes.wing}>
          {wing.label && <div className={classes.label}>{wing.label}</div>}
          {wing.rooms.map(({ to, label, icon: Icon, Beside }) => (
            <Tooltip key={to} label={label} position="right" disabled={!narrow}>
              <Link
                to={to}
                className={classes.room}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                onClick={leave}
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
          ))}
        </div>
      ))}
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
