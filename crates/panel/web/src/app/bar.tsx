import { Burger, SegmentedControl, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import classes from './bar.module.css';
import { Brand } from './brand';
import { useWhere } from './here';
import { useMode } from './mode';
import { PersonMenu } from './person-menu';
import { WorkspaceMenu } from './workspace-menu';

const t = texts('shell');

interface Props {
  railOpen: boolean;
  toggleRail: () => void;
  search: () => void;
}

/** The bar at the top: the workspace, the search and the user menu. */
export function Bar({ railOpen, toggleRail, search }: Props) {
  return (
    <div className={classes.bar}>
      <Burger
        opened={railOpen}
        onClick={toggleRail}
        hiddenFrom="sm"
        size="sm"
        aria-label={t('openRail')}
        aria-expanded={railOpen}
      />
      <span className={classes.brand}>
        <Brand size={20} />
      </span>
      <WorkspaceMenu />
      <Mode />
      <UnstyledButton
        className={classes.search}
        onClick={search}
        aria-label={`${t('search')} ${t('searchKeys')}`}
      >
        <IconSearch size={15} aria-hidden />
        <span className={classes.words}>{t('search')}</span>
        <kbd className={classes.key}>{t('searchKeys')}</kbd>
      </UnstyledButton>
      <PersonMenu />
    </div>
  );
}

/** Switches between live data and the sandbox. */
function Mode() {
  const { inSandbox } = useWhere();
  const { offered, choose } = useMode();
  if (!offered) return null;
  return (
    <SegmentedControl
      size="xs"
      visibleFrom="sm"
      className={classes.mode}
      aria-label={t('liveOrSandbox')}
      data-sandbox={inSandbox || undefined}
      value={inSandbox ? 'sandbox' : 'live'}
      onChange={(mode) => choose(mode === 'live' ? 'live' : 'sandbox')}
      data={[
        { value: 'live', label: t('liveOn') },
        { value: 'sandbox', label: t('sandbox') },
      ]}
    />
  );
}
