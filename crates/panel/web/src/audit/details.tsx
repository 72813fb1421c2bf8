import { Button, Group, Text, Title } from '@mantine/core';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { ObjectLink } from '../components/object-link';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { Names } from '../usage/api';
import type { Kind } from './actions';
import type { AuditChange, AuditEntry } from './api';
import classes from './audit.module.css';
import { attributeName, describeAction } from './describe-action';
import type { AuditSearch } from './search';
import { type NameOfObject, withNames } from './use-names';
import { whoOf, wordOf } from './who';

const t = texts('audit');

interface Props {
  entry: AuditEntry;
  names: Names | undefined;
  nameOf: NameOfObject;
  show: (next: AuditSearch) => void;
}

/** An entry of the audit log: the actor, the object, and the old and new values. */
export function EntryDetails({ entry, names, nameOf, show }: Props) {
  const { object, actor } = entry;
  return (
    <div className={classes.details}>
      <Title order={2}>{describeAction(entry.action)}</Title>
      <Details
        rows={[
          [t('time'), <When key="when" at={entry.at} />],
          [t('actor'), whoOf(actor, names)],
          ...(actor.scope ? [[t('scope'), actor.scope] as [string, React.ReactNode]] : []),
          ...(object.id
            ? [
                [t('object'), <Which key="which" object={object} nameOf={nameOf} />] as [
                  string,
                  React.ReactNode,
                ],
              ]
            : []),
          [t('id'), <Id key="id" id={entry.id} />],
        ]}
      />
      <Changes changes={entry.changes} nameOf={nameOf} />
      <Group gap="xs">
        {object.id && (
          <Button
            variant="default"
            size="xs"
            onClick={() =>
              show({ object: object.id ?? undefined, type: object.type as Kind, action: undefined })
            }
          >
            {t('aboutObject')}
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => show({ actor: wordOf(actor) })}>
          {t('byActor')}
        </Button>
      </Group>
    </div>
  );
}

function Which({ object, nameOf }: Pick<AuditEntry, 'object'> & Pick<Props, 'nameOf'>) {
  const name = object.name ?? (object.id && nameOf(object.id));
  return (
    <span className={classes.which}>
      {name && <ObjectLink id={object.id ?? ''}>{name}</ObjectLink>}
      {object.id && <Id id={object.id} />}
    </span>
  );
}

function Changes({ changes, nameOf }: Pick<AuditEntry, 'changes'> & Pick<Props, 'nameOf'>) {
  const all = Object.entries(changes);
  if (all.length === 0) return <Text c="dimmed">{t('noChanges')}</Text>;
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('attribute')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {all.map(([name, change]) => (
          <Change key={name} name={name} change={change} nameOf={nameOf} />
        ))}
      </tbody>
    </table>
  );
}

interface ChangeProps extends Pick<Props, 'nameOf'> {
  name: string;
  change: AuditChange;
}

function Change({ name, change, nameOf }: ChangeProps) {
  return (
    <tr>
      <th scope="row" title={name}>
        {attributeName(name)}
      </th>
      {change.withheld ? (
        <td colSpan={2} className="dimmed">
          {t('withheld')}
        </td>
      ) : (
        <>
          <Value of={withNames(change.before, nameOf)} cut={change.cut} />
          <Value of={withNames(change.after, nameOf)} cut={change.cut} />
        </>
      )}
    </tr>
  );
}

function Value({ of, cut }: { of: unknown; cut: boolean }) {
  if (of === null || of === undefined) return <td className="dimmed">{t('none')}</td>;
  return (
    <td>
      <code className={classes.value}>{typeof of === 'string' ? of : JSON.stringify(of, null, 1)}</code>
      {cut && <span className="dimmed"> {t('cut')}</span>}
    </td>
  );
}
