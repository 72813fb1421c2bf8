import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHierarchy3, IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { texts } from '../../i18n/texts';
import type { Definition } from '../definition';
import { arrange } from '../graph/edit';
import classes from './board.module.css';

const t = texts('flow-editor');

interface Props {
  definition: Definition;
  onChange?: (next: Definition) => void;
  /** Shows the whole flow, or a readable part of it. */
  fit: () => void;
}

export function Controls({ definition, onChange, fit }: Props) {
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className={classes.controls}>
      <Control label={t('zoomIn')} icon={IconPlus} onClick={() => void flow.zoomIn()} />
      <Control label={t('zoomOut')} icon={IconMinus} onClick={() => void flow.zoomOut()} />
      <Control label={t('fit')} icon={IconMaximize} onClick={fit} />
      {onChange && (
        <Control
          label={t('arrange')}
          icon={IconHierarchy3}
          onClick={() => {
            onChange(arrange(definition));
            // Fit after the cards have moved.
            requestAnimationFrame(() => requestAnimationFrame(fit));
          }}
        />
      )}
    </Panel>
  );
}

interface ControlProps {
  label: string;
  icon: typeof IconPlus;
  onClick: () => void;
  disabled?: boolean;
}

export function Control({ label, icon: Icon, onClick, disabled }: ControlProps) {
  return (
    <Tooltip label={label} position="right">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={label}
        onClick={onClick}
        disabled={disabled}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
