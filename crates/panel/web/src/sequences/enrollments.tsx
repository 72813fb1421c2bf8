import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Choice } from '../components/choice';
import { FoundList } from '../components/found-list';
import { GuardedModal } from '../components/guarded';
import { SideDrawer, stepIn } from '../components/side-drawer';
import { Empty, Failure } from '../components/states';
import { Status } from '../components/status';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { ContactLink } from '../flows/contact-link';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { ContactSelect } from '../simulation/who';
import { type Enrollment, type Sequence, useEnrolling, useEnrollments } from './api';
import { EnrollmentDetails } from './enrollment-details';
import type { SequenceSearch } from './search';
import classes from './sequences.module.css';
import { ENROLLMENT_STATUSES, toneOfEnrollment } from './state';
import { StepName } from './step-name';
import { draftOf, type Step } from './steps';

const t = texts('sequences');

const options = () => ENROLLMENT_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }));

interface Props {
  sequence: Sequence;
  search: SequenceSearch;
  show: (next: SequenceSearch) => void;
}

export function EnrollmentsPart({ sequence, search, show }: Props) {
  const { workspace, role } = useWhere();
  const [enrolling, setEnrolling] = useState(false);
  const status = ENROLLMENT_STATUSES.find((it) => it === search.status);
  const all = useEnrollments(workspace.id, sequence.id, status);
  const rows = all.data?.pages.flatMap((page) => page.data) ?? [];
  const total = all.data?.pages[0]?.total;
  const close = useCallback(() => show({ open: undefined }), [show]);
  const ids = rows.map((it) => it.id);
  const opened = rows.find((it) => it.id === search.open);
  const enroll = mayWrite(role) && sequence.status === 'active' && (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEnrolling(true)}>
      {t('enroll')}
    </Button>
  );
  return (
    <>
      <div className={classes.filters}>
        <Choice
          label={t('status')}
          width={160}
          value={status}
          options={options()}
          onChange={(next) => show({ status: next, open: undefined })}
        />
        <span className="dimmed figures" role="status">
          {total !== undefined && t('enrollmentCount', { count: total })}
        </span>
        {(rows.length > 0 || status) && enroll ? enroll : <span />}
      </div>
      <FoundList
        list={all}
        label={t('enrollments')}
        columns={columns(draftOf(sequence).steps)}
        rowKey={(it) => it.id}
        openKey={search.open}
        onOpen={(it) => show({ open: it.id })}
        empty={
          <Empty
            title={status ? t('nobodyIn', { status: t(`statuses.${status}`) }) : t('nobody')}
            action={
              status ? (
                <Button variant="default" onClick={() => show({ status: undefined })}>
                  {t('clear')}
                </Button>
              ) : (
                enroll
              )
            }
            call={{ method: 'POST', path: `/api/v1/contacts/external_id:ada/sequences/${sequence.id}` }}
          >
            {t('nobodyHint')}
          </Empty>
        }
      />
      <SideDrawer
        label={t('enrollment')}
        id={opened?.id}
        step={stepIn(ids, search.open, (open) => show({ open }))}
        onClose={close}
      >
        {opened && <EnrollmentDetails key={opened.id} enrollment={opened} steps={draftOf(sequence).steps} />}
      </SideDrawer>
      <Enroll sequence={sequence.id} opened={enrolling} onClose={() => setEnrolling(false)} />
    </>
  );
}

function Enroll({ sequence, opened, onClose }: { sequence: string; opened: boolean; onClose: () => void }) {
  const { workspace } = useWhere();
  const enroll = useEnrolling(workspace.id, sequence);
  const [contact, setContact] = useState<string | null>(null);
  const close = () => {
    enroll.reset();
    onClose();
  };
  return (
    <GuardedModal opened={opened} onClose={close} title={t('enroll')}>
      <Stack gap="md">
        <ContactSelect id={contact} onChange={setContact} />
        <Text c="dimmed">{t('enrollHint')}</Text>
        {enroll.error && <Failure error={enroll.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            disabled={contact === null}
            loading={enroll.isPending}
            onClick={() => contact && enroll.mutate({ act: 'enroll', contact }, { onSuccess: close })}
          >
            {t('enrollVerb')}
          </Button>
        </Group>
      </Stack>
    </GuardedModal>
  );
}

const columns = (steps: Step[]): Column<Enrollment>[] => [
  {
    key: 'contact',
    header: t('contact'),
    render: (it) => (
      <span className="named">
        <ContactLink id={it.contact_id} />
      </span>
    ),
  },
  {
    key: 'state',
    header: t('status'),
    render: (it) => <Status tone={toneOfEnrollment(it.status)}>{t(`statuses.${it.status}`)}</Status>,
  },
  { key: 'done', header: t('doneSteps'), align: 'end', render: (it) => it.steps_done.length },
  {
    key: 'next',
    header: t('nextStep'),
    render: (it) => it.step_id && <StepName id={it.step_id} steps={steps} />,
  },
  {
    key: 'when',
    header: t('due'),
    render: (it) => it.next_run_at && <When at={it.next_run_at} canBeFuture />,
  },
  {
    key: 'why',
    header: t('reason'),
    render: (it) =>
      (it.error && errorMessage(it.error)) ?? (it.exit_reason && t(`exitReasons.${it.exit_reason}`)),
  },
  { key: 'since', header: t('since'), render: (it) => <When at={it.created_at} /> },
];
