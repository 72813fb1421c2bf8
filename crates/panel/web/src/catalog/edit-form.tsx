import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { DeleteObject } from '../components/delete-object';
import { Dependents, dependentsOf } from '../components/dependents';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Failure, Waiting } from '../components/states';
import { useDraft } from '../forms/use-draft';
import { VersionedForm } from '../forms/versioned';
import { texts } from '../i18n/texts';
import type { Catalog, Read, Row } from './catalog';
import classes from './catalog.module.css';
import { faultsOf } from './create-form';

const t = texts('catalog');

interface Props<It extends Row, Draft extends object> {
  of: Catalog<It, Draft>;
  id: string;
  onGone: () => void;
}

/** Edits a row. It saves with the version that it read, so it does not overwrite changes by other users. */
export function EditForm<It extends Row, Draft extends object>(props: Props<It, Draft>) {
  const { of, id } = props;
  const { workspace } = useWhere();
  const asked = useQuery({ queryKey: ['catalog', workspace.id, id], queryFn: () => of.read(id) });
  if (asked.error instanceof Problem && asked.error.status === 404)
    return <Text c="dimmed">{t('gone')}</Text>;
  if (asked.error && !asked.data) return <Failure error={asked.error} retry={() => void asked.refetch()} />;
  return asked.data ? <Form {...props} latest={asked.data} /> : <Waiting />;
}

function Form<It extends Row, Draft extends object>({
  of,
  id,
  onGone,
  latest,
}: Props<It, Draft> & { latest: Read<It> }) {
  const { workspace, role, administers } = useWhere();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const drafted = ({ row, etag }: Read<It>) => ({ draft: of.draftOf(row), etag });
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['catalog', workspace.id, id] });
    await of.refresh();
  };
  // Other objects may use the row. Then the first save fails, and admins can force the next one.
  const [force, setForce] = useState(false);
  const editing = useDraft<Draft>({
    latest: drafted(latest),
    read: async () => drafted(await of.read(id)),
    save: async (changed, etag) => {
      await of.save(latest.row, changed, etag, force);
      setForce(false);
      await refresh();
    },
  });
  const { failure } = editing;
  const taken = faultsOf(failure);
  const dependents = dependentsOf(failure);
  const { Fields } = of;
  const known = Object.keys(taken).length > 0 || dependents !== undefined;
  return (
    <>
      <VersionedForm editing={{ ...editing, failure: known ? undefined : failure }} nameOf={of.fieldName}>
        <Fields
          draft={editing.draft}
          set={(next) => {
            setForce(false);
            editing.set(next);
          }}
          faults={{ ...editing.faults, ...taken }}
          row={latest.row}
          readOnly={!mayWrite(role)}
        />
        {dependents && (
          <div>
            <Dependents intro={t('optionInUse')} all={dependents} />
            {administers && (
              <Button variant="outline" color="var(--bad)" disabled={force} onClick={() => setForce(true)}>
                {force ? t('forcing') : t('force')}
              </Button>
            )}
          </div>
        )}
      </VersionedForm>
      <div className={classes.remove}>
        <Details rows={[[t('id'), <Id key="id" id={id} />]]} />
        {administers && (
          <Button variant="outline" color="var(--bad)" mt="md" onClick={() => setAsking(true)}>
            {of.words('remove')}
          </Button>
        )}
      </div>
      <DeleteObject
        title={t('deleteQuestion', { name: latest.row.name })}
        hint={of.words('deleteHint')}
        verb={of.words('remove')}
        remove={(anyway) => of.remove(latest.row, anyway)}
        opened={asking}
        onClose={() => setAsking(false)}
        onGone={() => {
          onGone();
          void of.refresh();
        }}
      />
    </>
  );
}
