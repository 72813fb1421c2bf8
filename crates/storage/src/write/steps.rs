//! Runs steps: each by one statement on PostgreSQL, and by one for each row on SQLite.

mod changes;
mod objects;

use futures::FutureExt;
use tidings_domain::ports::{
    AnalyticsChange, BroadcastChange, Change, Conflict, ContactChange, ConversationChange, FieldChange, FlowChange,
    ImportChange, JobChange, Object, OptOutChange, StoreError, TagChange, WebhookChange,
};

use super::program::{Kind, Op, Program, Step};
use super::statements::{self, Missed};
use crate::analytics::FactRow;
use crate::audit::AuditRow;
use crate::broadcasts::{self, SettledRecipient};
use crate::connection::Connection;
use crate::contacts::{self, IdentityRow};
use crate::custom_events::CustomEventRow;
use crate::deliveries::{self, NewDeliveryRow, RecordRow};
use crate::events::{self, AnswerRow, EventRow};
use crate::faults::Fault;
use crate::fields::{self, ValuePlace, ValueRow};
use crate::flows::{self, RecipientRow, VersionRow};
use crate::imports::RejectedRecord;
use crate::jobs::{self, Finished, JobRow, Rescheduled};
use crate::tags::{self, LinkRow};
use crate::types::DbTime;
use crate::webhooks::{self, AttemptRow, HealthRow, StampRow};
use crate::{conversations, opt_outs};
use changes::other;
use objects::objects;

/// So many statements are on their way at once.
const AHEAD: usize = 24;

/// Runs all steps. On PostgreSQL those that are a single statement are sent without waiting for one another, in their
/// order; the first that contradicts is the one that is told, as the others fail with the transaction.
pub(super) async fn run(c: &mut Connection<'_>, program: &Program<'_>) -> Result<(), Fault> {
    match c {
        Connection::Sqlite(_) => {
            for step in &program.steps {
                write(c, step).await?;
            }
        }
        Connection::Postgres(connection) => {
            let connection = *connection;
            let is_single = |step: &Step<'_>| step.kind != Kind::Other;
            for stretch in program.steps.chunk_by(|one, next| is_single(one) && is_single(next)) {
                for steps in stretch.chunks(AHEAD) {
                    let one = |step| async move { write(&mut Connection::Postgres(connection), step).await }.boxed();
                    let outcomes = futures::future::join_all(steps.iter().map(one)).await;
                    first_fault(outcomes.into_iter().filter_map(Result::err).collect())?;
                }
            }
        }
    }
    Ok(())
}

/// The first fault of statements that were sent together. One that is new to its connection is prepared first, and may come
/// behind a later one that failed: it tells no more than that the transaction is over.
pub(super) fn first_fault(faults: Vec<Fault>) -> Result<(), Fault> {
    let follows = |fault: &Fault| matches!(fault, Fault::Store(StoreError::Unavailable(_)));
    let (follow, mut tell): (Vec<_>, Vec<_>) = faults.into_iter().partition(follows);
    tell.extend(follow);
    tell.into_iter().next().map_or(Ok(()), Err)
}

/// A change for whose kind no statement exists.
fn unwritten(kind: Kind, op: &Op<'_>) -> Fault {
    // The variant alone: the values of a change are not for logs.
    let told = format!("{op:?}");
    let variant: String = told.chars().take_while(|c| c.is_alphanumeric() || "([{ ".contains(*c)).take(80).collect();
    StoreError::Corrupt(format!("no statement of the step {kind:?} writes the change {}", variant.trim_end())).into()
}

/// The first of the rows that were not there is what the set contradicts by.
fn none_missed(missed: &Missed, conflict: impl Fn(usize) -> Option<Conflict>) -> Result<(), Fault> {
    let Some(place) = missed.first() else { return Ok(()) };
    let unknown = || StoreError::Corrupt(format!("a statement missed row {place}, which its step does not have"));
    Err(conflict(*place).map_or_else(|| unknown().into(), Fault::from))
}

/// The rows of a step, whose changes have one of these forms. A row may end early with `?`.
///
/// A step with another change is a mistake in [`Kind::of`] or here. It is an error, so that the change is not acknowledged
/// without being written.
macro_rules! rows {
    ($step:expr, |$ws:ident| $($form:pat => $row:expr),+) => {
        $step.ops.iter().map(|(ws, op)| -> Result<_, Fault> {
            let $ws = *ws;
            match op {
                $($form => Ok($row),)+
                other => Err($crate::write::steps::unwritten($step.kind, other)),
            }
        }).collect::<Result<Vec<_>, Fault>>()?
    };
}
use rows;

async fn write(c: &mut Connection<'_>, step: &Step<'_>) -> Result<(), Fault> {
    match step.kind {
        Kind::Insert(_) | Kind::Update(_) => objects(c, step).await,
        Kind::Identity => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::InsertIdentity { contact, identity })) => {
                IdentityRow::write(ws, *contact, identity)
            });
            statements::insert(c, &rows).await
        }
        Kind::OptIn => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in })) => {
                contacts::OptIn::write(ws, *contact, *channel, *opted_in)
            });
            contacts::set_opt_ins(c, &rows).await
        }
        Kind::Link => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Tag(TagChange::Link { contact, tag, at })) => LinkRow {
                workspace_id: ws,
                contact_id: (*contact).into(),
                tag_id: (*tag).into(),
                applied_at: (*at).into(),
            });
            let missed = tags::link(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Tag(rows.get(place)?.tag_id.typed()))))
        }
        Kind::FinishRecipient => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message, result })) => {
                SettledRecipient::write(ws, (*broadcast, *contact, *message), result)
            });
            let missed = broadcasts::finish(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Broadcast(rows.get(place)?.broadcast()))))
        }
        Kind::SettleRecipient => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Broadcast(BroadcastChange::SettleRecipient { broadcast, contact, message, result })) => {
                SettledRecipient::write(ws, (*broadcast, *contact, *message), result)
            });
            broadcasts::settle(c, &rows).await
        }
        Kind::Adopt => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Conversation(ConversationChange::Adopt { conversation, contact, channel })) => {
                conversations::Adopted::write(ws, *conversation, *contact, *channel)
            });
            conversations::adopt(c, &rows).await
        }
        Kind::Unlink => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Tag(TagChange::Unlink { contact, tag })) => LinkRow {
                workspace_id: ws,
                contact_id: (*contact).into(),
                tag_id: (*tag).into(),
                applied_at: DbTime(tidings_domain::time::Timestamp::from_millis(0)),
            });
            none_missed(&tags::unlink(c, &rows).await?, |_| Some(Conflict::NoLink))
        }
        Kind::PutValue => {
            let rows = rows!(step, |ws| Op::Change(Change::Field(FieldChange::PutValue { contact, field, value })) => {
                ValueRow::write(ws, *contact, *field, value)?
            });
            let missed = fields::put_values(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Field(rows.get(place)?.field()))))
        }
        Kind::ClearValue => {
            let rows = rows!(step, |ws| Op::Change(Change::Field(FieldChange::ClearValue { contact, field })) => ValuePlace {
                workspace_id: ws,
                contact_id: (*contact).into(),
                field_id: (*field).into(),
            });
            fields::clear_values(c, &rows).await
        }
        Kind::TouchConversation => {
            let rows = rows!(step, |ws| Op::Change(Change::Conversation(ConversationChange::Touch { conversation, at })) => {
                conversations::Seen { workspace_id: ws, id: (*conversation).into(), last_message_at: (*at).into() }
            });
            conversations::touch(c, &rows).await
        }
        Kind::TouchContact => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::Touch { contact, at })) => {
                contacts::Seen { workspace_id: ws, id: (*contact).into(), last_message_at: (*at).into() }
            });
            contacts::touch(c, &rows).await
        }
        Kind::CustomEvent => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::RecordEvent { event, .. })) => {
                CustomEventRow::write(ws, event)?
            });
            statements::insert(c, &rows).await
        }
        Kind::FlowVersion => {
            let rows =
                rows!(step, |ws| Op::Change(Change::Flow(FlowChange::InsertVersion(it))) => VersionRow::write(ws, it)?);
            statements::insert(c, &rows).await
        }
        Kind::DropSteps => {
            let runs = rows!(step, |ws| Op::Change(Change::Flow(FlowChange::DropSteps { run })) => (ws, (*run).into()));
            flows::drop_steps(c, runs).await
        }
        Kind::Recipient => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Flow(FlowChange::TakeRecipient { flow, at, contact })) => RecipientRow {
                workspace_id: ws,
                flow_id: (*flow).into(),
                fired_at: (*at).into(),
                contact_id: (*contact).into(),
            });
            none_missed(&flows::take_recipients(c, &rows).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::Rejected => {
            let rows = rows!(step, |ws| Op::Change(Change::Import(ImportChange::Reject { import, row })) => {
                RejectedRecord::write(ws, *import, row)?
            });
            statements::insert(c, &rows).await
        }
        Kind::Health => {
            let rows: Vec<_> = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::UpdateHealth { webhook, health })) => {
                (*webhook, HealthRow::write(ws, *webhook, health))
            });
            let (webhooks, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            let missed = statements::update(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Webhook(*webhooks.get(place)?))))
        }
        Kind::Stamp => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::Stamp { webhook, at })) => {
                StampRow::write(ws, *webhook, *at)
            });
            webhooks::stamp(c, rows).await
        }
        Kind::Delivery => {
            let rows = rows!(step, |ws| Op::Delivery(it, lease) => NewDeliveryRow::write(ws, it, *lease));
            deliveries::insert(c, rows).await
        }
        Kind::Record => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::RecordAttempt(it))) => RecordRow::write(ws, it)?);
            deliveries::record(c, rows).await
        }
        Kind::Attempt => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::InsertAttempt(it))) => AttemptRow::write(ws, it)?);
            statements::insert(c, &rows).await
        }
        Kind::Fact => {
            let rows = rows!(step, |ws|
                Op::Change(Change::Analytics(AnalyticsChange::Record(it))) => FactRow::write(ws, it),
                Op::Change(Change::Analytics(AnalyticsChange::RecordReply(it))) => FactRow::reply(ws, it),
                Op::Change(Change::Webhook(WebhookChange::CountAttempt { id, count })) => FactRow::attempt(ws, *id, count),
                Op::Change(Change::Broadcast(BroadcastChange::Count { id, broadcast, count, amount, at })) => {
                    FactRow::broadcast(ws, *id, (*broadcast, *count), *amount, *at)
                },
                Op::Change(Change::Flow(FlowChange::Count { id, passage, at })) => FactRow::passage(ws, *id, passage, *at)
            );
            statements::insert(c, &crate::analytics::summed(rows.into_iter())).await
        }
        Kind::OptOuts => {
            let rows = rows!(step, |ws| Op::Change(Change::OptOut(OptOutChange::Require { revision })) => {
                opt_outs::Required::write(ws, *revision)
            });
            none_missed(&opt_outs::require(c, &rows).await?, |_| Some(Conflict::CatalogChanged))
        }
        Kind::FinishJob => {
            let rows = rows!(step, |ws| Op::Change(Change::Job(JobChange::Finish { job, token })) => {
                Finished::write(ws, *job, *token)
            });
            none_missed(&jobs::finish(c, rows).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::RescheduleJob => {
            let rows = rows!(step, |ws| Op::Change(Change::Job(JobChange::Reschedule { job, token, due_at, error })) => {
                Rescheduled::write(ws, *job, *token, *due_at, error.as_deref())
            });
            none_missed(&jobs::reschedule(c, &rows).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::Audit => {
            let rows = rows!(step, |ws| Op::Change(Change::Audit(it)) => AuditRow::write(ws, it)?);
            statements::insert(c, &rows).await
        }
        Kind::Event => {
            let rows = rows!(step, |ws| Op::Event(it) => EventRow::write(ws, it));
            statements::insert(c, &rows).await
        }
        Kind::Job => {
            let rows = rows!(step, |ws| Op::Job(it) => JobRow::write(ws, it));
            jobs::insert(c, rows).await
        }
        Kind::Answer => {
            let rows: Vec<_> = rows!(step, |ws| Op::Answer(it) => AnswerRow::write(ws, it));
            match events::keep(c, &rows).await? {
                true => Ok(()),
                false => Err(Conflict::IdempotencyKeyUsed.into()),
            }
        }
        Kind::Other => {
            for (ws, op) in &step.ops {
                match op {
                    Op::Change(change) => other(c, *ws, change).await?,
                    Op::Delivery(..) | Op::Event(_) | Op::Job(_) | Op::Answer(_) => {
                        return Err(unwritten(step.kind, op));
                    }
                }
            }
            Ok(())
        }
    }
}
