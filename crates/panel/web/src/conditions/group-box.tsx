import { ActionIcon, Button, Select, Text, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { texts } from '../i18n/texts';
import classes from './builder.module.css';
import { type Context, put } from './context';
import { type Group, group as groupOf, isGroup, mayNest, rule } from './model';
import { RuleRow } from './rule-row';

const t = texts('conditions');

/** The ways to combine the rules of a group. */
const matches = () => [
  { value: 'all', label: t('all') },
  { value: 'any', label: t('any') },
  { value: 'not any', label: t('notAny') },
  { value: 'not all', label: t('notAll') },
];

interface Props {
  group: Group;
  /** The depth of the group. The outermost group has depth 1. */
  depth: number;
  context: Context;
  label: string;
}

export function GroupBox({ group, depth, context, label }: Props) {
  const { room, faults } = context;
  const add = (item: Group['items'][number]) =>
    put(context, group.id, { ...group, items: [...group.items, item] });
  return (
    <fieldset className={classes.group} data-inner={depth > 1 || undefined}>
      <legend className={classes.legend}>{label}</legend>
      {(group.items.length > 1 || group.not || depth > 1) && (
        <div className={classes.head}>
          <Select
            aria-label={t('match')}
            className={classes.match}
            data={matches()}
            value={`${group.not ? 'not ' : ''}${group.match}`}
            allowDeselect={false}
            onChange={(value) =>
              value &&
              put(context, group.id, {
                ...group,
                not: value.startsWith('not'),
                match: value.endsWith('any') ? 'any' : 'all',
              })
            }
          />
          {depth > 1 && (
            <Tooltip label={t('removeGroup')}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('removeGroup')}
                onClick={() => put(context, group.id, undefined)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      )}
      {faults[group.id] && (
        <Text c="var(--bad)" size="xs" role="alert">
          {faults[group.id]}
        </Text>
      )}
      {group.items.map((item) =>
        isGroup(item) ? (
          <GroupBox key={item.id} group={item} depth={depth + 1} context={context} label={t('groupOf')} />
        ) : (
          <RuleRow key={item.id} rule={item} context={context} />
        ),
      )}
      <div className={classes.add}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          disabled={!room}
          onClick={() => add(rule())}
        >
          {t('addRule')}
        </Button>
        {mayNest(depth) && group.items.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            disabled={!room}
            onClick={() => add(groupOf([rule()], group.match === 'all' ? 'any' : 'all'))}
          >
            {t('addGroup')}
          </Button>
        )}
        {!room && depth === 1 && <span className="dimmed">{t('full')}</span>}
      </div>
    </fieldset>
  );
}
