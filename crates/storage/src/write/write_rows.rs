//! Writes rows of one kind: with one statement on PostgreSQL, and with one statement for each row on SQLite, except
//! values of custom fields.

use tidings_domain::ports::{Conflict, Object, StoreError};
use tidings_domain::stored::StoredId;

use super::rows::Rows;
use super::statements::{self, MissedRows};
use crate::access::audit::AuditRow;
use crate::broadcasts::{self, SettledRecipient};
use crate::connection::Connection;
use crate::connection::faults::Fault;
use crate::contacts::custom_events::CustomEventRow;
use crate::contacts::fields::{self, ValuePlace, ValueRow};
use crate::contacts::{self, IdentityRow, OptIn};
use crate::contacts::{opt_outs, tags};
use crate::events::{self, AnswerRow, EventRow};
use crate::flows::{self, VersionRow};
use crate::imports::RejectedRecord;
use crate::jobs::{self, JobRow};
use crate::webhooks::deliveries::{self, NewDeliveryRow, RecordRow};
use crate::webhooks::{self, AttemptRow, HealthRow};
use crate::{analytics, conversations};

pub(super) async fn write(c: &mut Connection<'_>, rows: Rows<'_>) -> Result<(), Fault> {
    match rows {
        Rows::Insert(objects) => objects.insert(c).await,
        Rows::Update(updates) => {
            let missed = updates.write(c).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(updates.object(place)?)))?;
            conversations::part_ids::store(c, updates.messages()).await
        }
        Rows::Identity(of) => {
            let rows = make_rows(&of, |(ws, contact, it)| Ok(IdentityRow::write(*ws, *contact, it)))?;
            statements::insert(c, &rows).await
        }
        Rows::OptIn(of) => {
            let rows = make_rows(&of, |(ws, contact, channel, is)| Ok(OptIn::write(*ws, *contact, *channel, *is)))?;
            contacts::set_opt_ins(c, &rows).await
        }
        Rows::Link(rows) => {
            let missed = tags::link(c, &rows).await?;
            none_missed(&missed, |place| {
                Some(Conflict::Stale(Object::Stored(StoredId::Tag(rows.get(place)?.tag_id.to_typed_id()))))
            })
        }
        Rows::Unlink(rows) => none_missed(&tags::unlink(c, &rows).await?, |_| Some(Conflict::NoLink)),
        Rows::PutValue(of) => {
            let rows = make_rows(&of, |(ws, contact, field, it)| ValueRow::write(*ws, *contact, *field, it))?;
            let missed = fields::put_values(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Stored(rows.get(place)?.field().into()))))
        }
        Rows::ClearValue(of) => {
            let rows = make_rows(&of, |(ws, contact, field)| Ok(ValuePlace::write(*ws, *contact, *field)))?;
            fields::clear_values(c, &rows).await
        }
        Rows::TouchConversation(rows) => conversations::touch(c, &rows).await,
        Rows::Adopt(rows) => conversations::adopt(c, &rows).await,
        Rows::TouchContact(rows) => contacts::touch(c, &rows).await,
        Rows::FinishRecipient(of) => {
            let rows = make_rows(&of, |(ws, of, result)| Ok(SettledRecipient::write(*ws, *of, result)))?;
            let missed = broadcasts::finish(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Broadcast(rows.get(place)?.broadcast()))))
        }
        Rows::SettleRecipient(of) => {
            let rows = make_rows(&of, |(ws, of, result)| Ok(SettledRecipient::write(*ws, *of, result)))?;
            broadcasts::settle(c, &rows).await
        }
        Rows::CustomEvent(of) => {
            statements::insert(c, &make_rows(&of, |(ws, it)| CustomEventRow::write(*ws, it))?).await
        }
        Rows::FlowVersion(of) => statements::insert(c, &make_rows(&of, |(ws, it)| VersionRow::write(*ws, it))?).await,
        Rows::DropSteps(runs) => flows::drop_steps(c, runs).await,
        Rows::TakeRecipient(rows) => {
            none_missed(&flows::take_recipients(c, &rows).await?, |_| Some(Conflict::ClaimLost))
        }
        Rows::Rejected(of) => {
            let rows = make_rows(&of, |(ws, import, it)| RejectedRecord::write(*ws, *import, it))?;
            statements::insert(c, &rows).await
        }
        Rows::Health(of) => {
            let rows = make_rows(&of, |(ws, webhook, it)| Ok(HealthRow::write(*ws, *webhook, it)))?;
            let missed = statements::update(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Webhook(of.get(place)?.1))))
        }
        Rows::Stamp(rows) => webhooks::stamp(c, rows).await,
        Rows::Delivery(of) => {
            let rows = make_rows(&of, |(ws, it, lease)| Ok(NewDeliveryRow::write(*ws, it, *lease)))?;
            deliveries::insert(c, rows).await
        }
        Rows::Record(of) => deliveries::record(c, make_rows(&of, |(ws, it)| RecordRow::write(*ws, it))?).await,
        Rows::Attempt(of) => statements::insert(c, &make_rows(&of, |(ws, it)| AttemptRow::write(*ws, it))?).await,
        Rows::Fact(rows) => statements::insert(c, &analytics::summed(rows.into_iter())).await,
        Rows::OptOuts(rows) => none_missed(&opt_outs::require(c, &rows).await?, |_| Some(Conflict::CatalogChanged)),
        Rows::FinishJob(rows) => none_missed(&jobs::finish(c, rows).await?, |_| Some(Conflict::ClaimLost)),
        Rows::RescheduleJob(rows) => none_missed(&jobs::reschedule(c, &rows).await?, |_| Some(Conflict::ClaimLost)),
        Rows::Audit(of) => statements::insert(c, &make_rows(&of, |(ws, it)| AuditRow::write(*ws, it))?).await,
        Rows::Event(of) => statements::insert(c, &make_rows(&of, |(ws, it)| Ok(EventRow::write(*ws, it)))?).await,
        Rows::Job(of) => jobs::insert(c, make_rows(&of, |(ws, it)| Ok(JobRow::write(*ws, it)))?).await,
        Rows::Answer(of) => {
            let rows = make_rows(&of, |(ws, it)| Ok(AnswerRow::write(*ws, it)))?;
            match events::keep(c, &rows).await? {
                true => Ok(()),
                false => Err(Conflict::IdempotencyKeyUsed.into()),
            }
        }
    }
}

fn make_rows<T, R>(of: &[T], make: impl Fn(&T) -> Result<R, Fault>) -> Result<Vec<R>, Fault> {
    of.iter().map(make).collect()
}

/// Returns the conflict of the first row that a statement did not find.
fn none_missed(missed: &MissedRows, conflict: impl Fn(usize) -> Option<Conflict>) -> Result<(), Fault> {
    let Some(place) = missed.first() else { return Ok(()) };
    let unknown = || StoreError::Corrupt(format!("a statement missed row {place}, which its step does not have"));
    Err(conflict(*place).map_or_else(|| unknown().into(), Fault::from))
}
