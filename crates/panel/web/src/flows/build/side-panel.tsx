import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconTrash, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { texts } from '../../i18n/texts';
import type { Definition, Finding } from '../definition';
import { Surroundings } from '../forms/context';
import { ExitsForm } from '../forms/exits-form';
import classes from '../forms/forms.module.css';
import { IdField } from '../forms/id-field';
import { NodeForm } from '../forms/node-form';
import { SettingsForm } from '../forms/settings-form';
import { TriggerForm } from '../forms/trigger-form';
import { changeNode, changeTrigger, nodeOf, remove, rename } from '../graph/edit';
import { located, noteAt } from '../graph/findings';
import { API_START, triggerAt } from '../graph/graph';
import { titleOf, triggerTitle } from '../graph/summary';
import { useFirstFocus } from './use-first-focus';

const t = texts('flow-forms');
const editor = texts('flow-editor');

export interface PanelProps {
  definition: Definition;
  change: (next: Definition, about?: string) => void;
  selected: readonly string[];
  select: (ids: string[]) => void;
  findings: Finding[];
  /** The ID of the selected node or trigger if it was just added. */
  fresh: string | undefined;
}

/** The form of the selected node or trigger. Without a selection, it shows the settings of the flow. */
export function SidePanel({ definition, change, selected, select, findings, fresh }: PanelProps) {
  const id = selected.length === 1 ? selected[0] : undefined;
  const vertex = id === API_START ? undefined : id;
  const surroundings = useMemo(() => {
    const here = located(definition, findings).filter((it) => it.vertex === vertex);
    return {
      definition,
      fault: (field: string) => noteAt(here, field, 'error'),
      warning: (field: string) => noteAt(here, field, 'warning'),
    };
  }, [definition, findings, vertex]);
  const panel = useFirstFocus(fresh);
  const removeChosen = () => {
    change(remove(definition, selected));
    select([]);
  };
  const close = () => select([]);
  const at = id === undefined ? undefined : triggerAt(id);
  const trigger = at === undefined ? undefined : definition.triggers?.[at];
  const node = id === undefined ? undefined : nodeOf(definition, id);
  return (
    <Surroundings value={surroundings}>
      <aside
        ref={panel}
        tabIndex={-1}
        className={classes.panel}
        aria-label={t('panel')}
        data-idle={selected.length === 0 || undefined}
      >
        {selected.length > 1 ? (
          <>
            <Head title={t('several', { count: selected.length })} onRemove={removeChosen} onClose={close} />
            <Text c="dimmed">{t('severalHint')}</Text>
          </>
        ) : node ? (
          <>
            <Head title={titleOf(node)} onRemove={removeChosen} onClose={close} />
            <p className={classes.hint}>{editor.find('nodes', `${node.type}.hint`)}</p>
            <div className={classes.form} data-form>
              <NodeForm
                key={node.id}
                node={node}
                onChange={(next, about) =>
                  change(changeNode(definition, node.id, next), `${node.id}/${about}`)
                }
              />
            </div>
            <ExitsForm
              node={node}
              definition={definition}
              onChange={(next) => change(changeNode(definition, node.id, next))}
            />
            <IdField
              key={`id ${node.id}`}
              definition={definition}
              id={node.id}
              onChange={(to) => {
                change(rename(definition, node.id, to));
                select([to]);
              }}
            />
          </>
        ) : trigger && at !== undefined ? (
          <>
            <Head title={triggerTitle(trigger)} onRemove={removeChosen} onClose={close} />
            <p className={classes.hint}>{t.find('triggerHints', trigger.type)}</p>
            <div className={classes.form} data-form>
              <TriggerForm
                key={id}
                trigger={trigger}
                onChange={(next) => change(changeTrigger(definition, at, next), id)}
              />
            </div>
          </>
        ) : (
          <>
            <Head title={t('settings')} />
            <p className={classes.hint}>{t('settingsHint')}</p>
            <SettingsForm definition={definition} onChange={(next) => change(next, 'settings')} />
          </>
        )}
      </aside>
    </Surroundings>
  );
}

interface HeadProps {
  title: string;
  onRemove?: () => void;
  onClose?: () => void;
}

function Head({ title, onRemove, onClose }: HeadProps) {
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      {onRemove && <HeadButton label={t('delete')} icon={IconTrash} onClick={onRemove} />}
      {onClose && <HeadButton label={t('close')} icon={IconX} onClick={onClose} />}
    </div>
  );
}

function HeadButton({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: typeof IconX;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
