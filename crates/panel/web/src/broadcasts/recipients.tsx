import { Title } from '@mantine/core';
import { sentence } from '../api/problem';
import { useWhere } from '../app/here';
import { useSearchState } from '../app/search-state';
import { Choice } from '../components/choice';
import { Loaded } from '../components/loaded';
import { ObjectLink } from '../components/object-link';
import { Status } from '../components/status';
import { type Column, DataTable, morePages } from '../components/table';
import { When } from '../components/when';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { nameOf, useContacts } from '../inbox/people';
import classes from './broadcasts.module.css';
import type { Broadcast } from './draft';
import { RECIPIENT_TONES, type Recipient, type RecipientStatus, useRecipients } from './recipients-api';

const t = texts('broadcasts');
const inbox = texts('inbox');

const STATUSES = Object.keys(RECIPIENT_TONES) as RecipientStatus[];

/** The recipients of a started broadcast, with the result of each. */
export function Recipients({ broadcast }: { broadcast: Broadcast }) {
  const { workspace } = useWhere();
  const [search, show] = useSearchState<{ recipients?: string }>();
  const status = STATUSES.find((it) => it === search.recipients);
  const list = useRecipients(workspace.id, broadcast, status);
  return (
    <section className={classes.card} aria-labelledby="recipients">
      <div className={classes.cardHead}>
        <Title order={2} id="recipients">
          {t('recipientsTitle')}
        </Title>
        <Choice
          label={t('status')}
          width={150}
          value={status}
          options={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          onChange={(recipients) => show({ recipients })}
        />
      </div>
      <div className={classes.gap}>
        <Loaded asked={list} lines={4}>
          {(data) => (
            <Rows
              rows={data.pages.flatMap((page) => page.data)}
              nothing={status ? t('noRecipientsMatch') : t('noRecipientList')}
              {...morePages(list)}
            />
          )}
        </Loaded>
      </div>
    </section>
  );
}

interface RowsProps {
  rows: Recipient[];
  /** The text if there are no rows. */
  nothing: string;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

function Rows({ rows, nothing, more, loadingMore }: RowsProps) {
  const { workspace } = useWhere();
  const contact = useContacts(
    workspace.id,
    rows.map((it) => it.contact_id),
  );
  if (rows.length === 0) return <p className={classes.hint}>{nothing}</p>;
  const columns: Column<Recipient>[] = [
    {
      key: 'contact',
      header: t('contact'),
      render: ({ contact_id: id }) => (
        <ObjectLink id={id} className="named one-line">
          {nameOf(contact(id), id)}
        </ObjectLink>
      ),
    },
    {
      key: 'status',
      header: t('status'),
      render: (it) => <Status tone={RECIPIENT_TONES[it.status]}>{statusOf(it)}</Status>,
    },
    { key: 'reason', header: t('reason'), render: (it) => whyOf(it) },
    { key: 'when', header: t('when'), render: (it) => it.updated_at && <When at={it.updated_at} /> },
  ];
  return (
    <DataTable
      label={t('recipientsTitle')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.contact_id}
      more={more}
      loadingMore={loadingMore}
    />
  );
}

/** The status of a recipient. For an accepted message it is the delivery status. */
function statusOf({ status, message_status: message }: Recipient): string {
  const further = status === 'sent' && (message === 'delivered' || message === 'read') ? message : undefined;
  return further ? inbox(`statuses.${further}`) : t(`statuses.${status}`);
}

function whyOf({ error, status }: Recipient): string {
  if (!error) return '';
  // A failed message with this code was not sent because the contact blocked the sender, and not the other way around.
  const reason = status === 'failed' && error.code === 'blocked' ? 'blocked_by_contact' : error.code;
  return inbox.find('reasons', reason) ?? sentence(errorMessage(error) || error.code);
}
