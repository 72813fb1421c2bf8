import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { LeaveGuard } from '../components/leave-guard';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { texts } from '../i18n/texts';
import { CheckStep } from './check-step';
import { ColumnsStep } from './columns-step';
import { FileStep } from './file-step';
import { ImportProgress } from './progress';
import type { ImportSearch, StepName } from './search';
import { Steps } from './steps';
import { useTable } from './use-table';

const t = texts('imports');

/** People › Contacts › Import: a new import in three steps, or the progress of one. */
export function ImportPage() {
  const { role } = useWhere();
  const [{ id }] = useSearchState<ImportSearch>();
  const navigate = useNavigate();
  const show = (search: ImportSearch, replace = false) =>
    void navigate({
      to: '.',
      search: (it: object) => ({ ...it, id: undefined, step: undefined, ...search }),
      replace,
    });
  return (
    <Page title={t('title')} description={t('description')}>
      {!mayWrite(role) ? (
        <Empty title={t('forMembers')}>{t('forMembersHint')}</Empty>
      ) : id ? (
        <ImportProgress
          key={id}
          id={id}
          onAll={() => show({})}
          onClose={() => void navigate({ to: '/contacts' })}
        />
      ) : (
        <NewImport show={show} />
      )}
    </Page>
  );
}

function NewImport({ show }: { show: (search: ImportSearch, replace?: boolean) => void }) {
  const [{ step: wanted }] = useSearchState<ImportSearch>();
  const table = useTable();
  const [hasMoved, setHasMoved] = useState(false);
  const isReady = table.check !== undefined && table.needs.every((it) => it === undefined);
  const step: StepName = !table.check
    ? 'file'
    : wanted === 'check' && !isReady
      ? 'columns'
      : (wanted ?? 'file');
  const open = (next: StepName) => {
    setHasMoved(true);
    show({ step: next === 'file' ? undefined : next });
  };
  return (
    <>
      <LeaveGuard unsaved={table.source !== undefined} />
      <Steps
        step={step}
        hasMoved={hasMoved}
        reachable={table.check ? (isReady ? ['file', 'columns', 'check'] : ['file', 'columns']) : ['file']}
        onOpen={open}
      />
      {step === 'file' && (
        <FileStep
          table={table}
          onChosen={(source) => {
            table.choose(source);
            // The address may name a later step although no file is chosen any more.
            if (wanted) show({}, true);
          }}
          onNext={() => open('columns')}
          onOpen={(id) => show({ id })}
        />
      )}
      {step === 'columns' && (
        <ColumnsStep table={table} onBack={() => open('file')} onNext={() => open('check')} />
      )}
      {step === 'check' && (
        <CheckStep
          table={table}
          onBack={() => open('columns')}
          onStarted={(id) => {
            table.choose(undefined);
            show({ id }, true);
          }}
        />
      )}
    </>
  );
}
