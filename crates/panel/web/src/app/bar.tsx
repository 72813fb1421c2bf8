import { Burger, SegmentedControl, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { en } from '../i18n/en';
import classes from './bar.module.css';
import { Brand } from './brand';
import { useWhere } from './here';
import { useMode } from './mode';
import { PersonMenu } from './person-menu';
import { WorkspaceMenu } from './workspace-menu';

interface Props {
  railOpen: boolean;
  toggleRail: () => void;
  search: () => void;
}

/** The thin bar at the top: where one is, what one looks for, who one is. */
export function Bar({ railOpen, toggleRail, search }: Props) {
  return (
    <div className={classes.bar}>
      <Burger
        opened={railOpen}
        onClick={toggleRail}
        hiddenFrom="sm"
        size="sm"
        aria-label={en.shell.openRail}
        aria-expanded={railOpen}
      />
      <span className={classes.brand}>
        <Brand size={20} />
      </span>
      <WorkspaceMenu />
      <Mode />
      <UnstyledButton className={classes.search} onClick={search} aria-label={`${en.shell.search} Ctrl K`}>
        <IconSearch size={15} aria-hidden />
        <span className={classes.words}>{en.shell.search}</span>
        <kbd className={classes.key}>Ctrl K</kbd>
      </UnstyledButton>
      <PersonMenu />
    </div>
  );
}

/** Live data, or the sandbox. */
function Mode() {
  const { inSandbox } = useWhere();
  const { offered, choose } = useMode();
  if (!offered) return null;
  return (
    <SegmentedControl
      size="xs"
      visibleFrom="sm"
      className={classes.mode}
      aria-label={en.shell.liveOrSandbox}
      data-sandbox={inSandbox || undefined}
      value={inSandbox ? 'sandbox' : 'live'}
      onChange={(mode) => choose(mode === 'live' ? 'live' : 'sandbox')}
      data={[
        { value: 'live', label: en.shell.live },
        { value: 'sandbox', label: en.shell.sandbox },
      ]}
    />
  );
}
