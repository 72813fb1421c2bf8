//! Runs steps: each by one statement on PostgreSQL, and by one for each row on SQLite.

use futures::FutureExt;
use tidings_domain::ports::{
    AccessChange, AccountChange, AnalyticsChange, BroadcastChange, Change, ChannelChange, Claim, Conflict,
    ContactChange, ConversationChange, ErasureChange, FieldChange, FlowChange, ImportChange, JobChange, MergeChange,
    Object, OptOutChange, ReferenceChange, Row, SequenceChange, StoreError, TagChange, WebhookChange,
};

use super::program::{Kind, Op, Program, Step};
use super::statements::{self, Missed};
use crate::access::WorkspaceRow;
use crate::analytics::FactRow;
use crate::audit::AuditRow;
use crate::broadcasts::{BroadcastRow, SettledRow};
use crate::bulk::BulkRow;
use crate::channels::ChannelRow;
use crate::connection::Connection;
use crate::contacts::{ContactRecord, IdentityRow};
use crate::conversations::{ConversationRow, MessageRow};
use crate::custom_events::CustomEventRow;
use crate::deliveries::{NewDeliveryRow, RecordRow};
use crate::events::{AnswerRow, EventRow};
use crate::faults::Fault;
use crate::fields::{BotFieldRow, FieldRow, ValuePlace, ValueRow};
use crate::flows::{FlowRow, RecipientRow, RunRow, VersionRow};
use crate::imports::{ImportRow, RejectedRecord};
use crate::jobs::{Finished, JobRow, Rescheduled};
use crate::members::MemberRow;
use crate::sandboxes;
use crate::saved_replies::SavedReplyRow;
use crate::secrets::SecretRow;
use crate::segments::SegmentRow;
use crate::sequences::{EnrollmentRow, SequenceRow};
use crate::tags::{LinkRow, TagRow};
use crate::types::{DbId, DbTime};
use crate::users::UserRow;
use crate::webhooks::{AttemptRow, DeliveryRow, HealthRow, StampRow, WebhookRow};
use crate::{
    access, accounts, broadcasts, channels, contacts, conversations, dead_letters, deletes, deliveries, erasures,
    events, fields, flows, imports, jobs, members, merges, opt_outs, references, sequences, tags, webhook_replays,
    webhooks,
};

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

/// The first of the rows that were not there is what the set contradicts by.
fn none_missed(missed: &Missed, conflict: impl Fn(usize) -> Option<Conflict>) -> Result<(), Fault> {
    match missed.first().and_then(|place| conflict(*place)) {
        Some(conflict) => Err(conflict.into()),
        None => Ok(()),
    }
}

/// The rows of a step, of the changes with this form.
macro_rules! rows {
    ($step:expr, |$ws:ident| $($form:pat => $row:expr),+) => {
        $step.ops.iter().filter_map(|(ws, op)| {
            let $ws = *ws;
            match op {
                $($form => Some($row),)+
                _ => None,
            }
        })
    };
}

async fn write(c: &mut Connection<'_>, step: &Step<'_>) -> Result<(), Fault> {
    match step.kind {
        Kind::Insert(_) | Kind::Update(_) => objects(c, step).await,
        Kind::Identity => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::InsertIdentity { contact, identity })) => {
                IdentityRow::write(ws, *contact, identity)
            });
            statements::insert(c, &rows.collect::<Vec<_>>()).await
        }
        Kind::Link => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Tag(TagChange::Link { contact, tag, at })) => LinkRow {
                    workspace_id: ws,
                    contact_id: (*contact).into(),
                    tag_id: (*tag).into(),
                    applied_at: (*at).into(),
                })
                .collect();
            let missed = tags::link(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Tag(rows.get(place)?.tag_id.typed()))))
        }
        Kind::Settled => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Broadcast(BroadcastChange::Settle { broadcast, contact, message })) => {
                    SettledRow::write(ws, *broadcast, *contact, *message)
                })
                .collect();
            let missed = broadcasts::settle(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Broadcast(rows.get(place)?.broadcast()))))
        }
        Kind::Adopt => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Conversation(ConversationChange::Adopt { conversation, contact, channel })) => {
                    conversations::Adopted::write(ws, *conversation, *contact, *channel)
                })
                .collect();
            conversations::adopt(c, &rows).await
        }
        Kind::Unlink => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Tag(TagChange::Unlink { contact, tag })) => LinkRow {
                    workspace_id: ws,
                    contact_id: (*contact).into(),
                    tag_id: (*tag).into(),
                    applied_at: DbTime(tidings_domain::time::Timestamp::from_millis(0)),
                })
                .collect();
            none_missed(&tags::unlink(c, &rows).await?, |_| Some(Conflict::NoLink))
        }
        Kind::PutValue => {
            let rows = rows!(step, |ws| Op::Change(Change::Field(FieldChange::PutValue { contact, field, value })) => {
                ValueRow::write(ws, *contact, *field, value)
            });
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            let missed = fields::put_values(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Field(rows.get(place)?.field()))))
        }
        Kind::ClearValue => {
            let rows = rows!(step, |ws| Op::Change(Change::Field(FieldChange::ClearValue { contact, field })) => ValuePlace {
                workspace_id: ws,
                contact_id: (*contact).into(),
                field_id: (*field).into(),
            });
            fields::clear_values(c, &rows.collect::<Vec<_>>()).await
        }
        Kind::TouchConversation => {
            let rows = rows!(step, |ws| Op::Change(Change::Conversation(ConversationChange::Touch { conversation, at })) => {
                conversations::Seen { workspace_id: ws, id: (*conversation).into(), last_message_at: (*at).into() }
            });
            conversations::touch(c, &rows.collect::<Vec<_>>()).await
        }
        Kind::TouchContact => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::Touch { contact, at })) => {
                contacts::Seen { workspace_id: ws, id: (*contact).into(), last_message_at: (*at).into() }
            });
            contacts::touch(c, &rows.collect::<Vec<_>>()).await
        }
        Kind::CustomEvent => {
            let rows = rows!(step, |ws| Op::Change(Change::Contact(ContactChange::RecordEvent { event, .. })) => {
                CustomEventRow::write(ws, event)
            });
            statements::insert(c, &rows.collect::<Result<Vec<_>, _>>()?).await
        }
        Kind::FlowVersion => {
            let rows =
                rows!(step, |ws| Op::Change(Change::Flow(FlowChange::InsertVersion(it))) => VersionRow::write(ws, it));
            statements::insert(c, &rows.collect::<Result<Vec<_>, _>>()?).await
        }
        Kind::Recipient => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Flow(FlowChange::TakeRecipient { flow, at, contact })) => RecipientRow {
                    workspace_id: ws,
                    flow_id: (*flow).into(),
                    fired_at: (*at).into(),
                    contact_id: (*contact).into(),
                })
                .collect();
            none_missed(&flows::take_recipients(c, &rows).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::Rejected => {
            let rows = rows!(step, |ws| Op::Change(Change::Import(ImportChange::Reject { import, row })) => {
                RejectedRecord::write(ws, *import, row)
            });
            statements::insert(c, &rows.collect::<Result<Vec<_>, _>>()?).await
        }
        Kind::Health => {
            let rows: Vec<_> =
                rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::UpdateHealth { webhook, health })) => {
                    (*webhook, HealthRow::write(ws, *webhook, health))
                })
                .collect();
            let (webhooks, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            let missed = statements::update(c, &rows).await?;
            none_missed(&missed, |place| Some(Conflict::Stale(Object::Webhook(*webhooks.get(place)?))))
        }
        Kind::Stamp => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::Stamp { webhook, at })) => {
                StampRow::write(ws, *webhook, *at)
            });
            webhooks::stamp(c, rows.collect()).await
        }
        Kind::Delivery => {
            let rows = rows!(step, |ws| Op::Delivery(it, lease) => NewDeliveryRow::write(ws, it, *lease));
            deliveries::insert(c, rows.collect()).await
        }
        Kind::Record => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::RecordAttempt(it))) => RecordRow::write(ws, it));
            deliveries::record(c, rows.collect::<Result<_, _>>()?).await
        }
        Kind::Attempt => {
            let rows = rows!(step, |ws| Op::Change(Change::Webhook(WebhookChange::InsertAttempt(it))) => AttemptRow::write(ws, it));
            statements::insert(c, &rows.collect::<Result<Vec<_>, _>>()?).await
        }
        Kind::Fact => {
            let rows = rows!(step, |ws|
                Op::Change(Change::Analytics(AnalyticsChange::Record(it))) => FactRow::write(ws, it),
                Op::Change(Change::Webhook(WebhookChange::CountAttempt { id, count })) => FactRow::attempt(ws, *id, count),
                Op::Change(Change::Broadcast(BroadcastChange::Count { id, broadcast, count, amount, at })) => {
                    FactRow::broadcast(ws, *id, (*broadcast, *count), *amount, *at)
                },
                Op::Change(Change::Flow(FlowChange::Count { id, passage, at })) => FactRow::passage(ws, *id, passage, *at)
            );
            statements::insert(c, &crate::analytics::summed(rows)).await
        }
        Kind::OptOuts => {
            let rows = rows!(step, |ws| Op::Change(Change::OptOut(OptOutChange::Require { revision })) => {
                opt_outs::Required::write(ws, *revision)
            });
            none_missed(&opt_outs::require(c, &rows.collect::<Vec<_>>()).await?, |_| Some(Conflict::CatalogChanged))
        }
        Kind::FinishJob => {
            let rows = rows!(step, |ws| Op::Change(Change::Job(JobChange::Finish { job, token })) => {
                Finished::write(ws, *job, *token)
            });
            none_missed(&jobs::finish(c, rows.collect()).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::RescheduleJob => {
            let rows = rows!(step, |ws| Op::Change(Change::Job(JobChange::Reschedule { job, token, due_at, error })) => {
                Rescheduled::write(ws, *job, *token, *due_at, error.as_deref())
            });
            none_missed(&jobs::reschedule(c, &rows.collect::<Vec<_>>()).await?, |_| Some(Conflict::ClaimLost))
        }
        Kind::Audit => {
            let rows = rows!(step, |ws| Op::Change(Change::Audit(it)) => AuditRow::write(ws, it));
            statements::insert(c, &rows.collect::<Result<Vec<_>, _>>()?).await
        }
        Kind::Event => {
            let rows = rows!(step, |ws| Op::Event(it) => EventRow::write(ws, it));
            statements::insert(c, &rows.collect::<Vec<_>>()).await
        }
        Kind::Job => {
            let rows = rows!(step, |ws| Op::Job(it) => JobRow::write(ws, it));
            jobs::insert(c, rows.collect()).await
        }
        Kind::Answer => {
            let rows: Vec<_> = rows!(step, |ws| Op::Answer(it) => AnswerRow::write(ws, it)).collect();
            match events::keep(c, &rows).await? {
                true => Ok(()),
                false => Err(Conflict::IdempotencyKeyUsed.into()),
            }
        }
        Kind::Other => {
            for (ws, op) in &step.ops {
                if let Op::Change(change) = op {
                    other(c, *ws, change).await?;
                }
            }
            Ok(())
        }
    }
}

/// Rows of one kind of objects.
async fn objects(c: &mut Connection<'_>, step: &Step<'_>) -> Result<(), Fault> {
    let Some((_, Op::Change(Change::Insert(first) | Change::Update(first)))) = step.ops.first() else { return Ok(()) };
    macro_rules! by_kind {
        ($($name:ident: |$ws:ident, $it:ident| $row:expr;)*) => {
            match first {
                $(Row::$name(_) => {
                    let rows = rows!(step, |$ws| Op::Change(
                        Change::Insert(Row::$name($it)) | Change::Update(Row::$name($it))
                    ) => $row);
                    let rows = rows.collect::<Result<Vec<_>, Fault>>()?;
                    match step.kind {
                        Kind::Update(_) => {
                            let missed = statements::update(c, &rows).await?;
                            none_missed(&missed, |place| match step.ops.get(place) {
                                Some((_, Op::Change(Change::Update(row)))) => Some(Conflict::Stale(row.object())),
                                _ => None,
                            })
                        }
                        _ => statements::insert(c, &rows).await,
                    }
                })*
            }
        };
    }
    by_kind! {
        Workspace: |ws, it| access::own(ws, it.id).map(|()| WorkspaceRow::write(it));
        User: |_ws, it| Ok(UserRow::write(it));
        Member: |ws, it| Ok(MemberRow::write(ws, it));
        Channel: |ws, it| Ok(ChannelRow::write(ws, it));
        Contact: |ws, it| Ok(ContactRecord::write(ws, it));
        Tag: |ws, it| Ok(TagRow::write(ws, it));
        Field: |ws, it| FieldRow::write(ws, it);
        BotField: |ws, it| BotFieldRow::write(ws, it);
        Secret: |ws, it| SecretRow::write(ws, it);
        Conversation: |ws, it| Ok(ConversationRow::write(ws, it));
        Message: |ws, it| MessageRow::write(ws, it);
        Flow: |ws, it| FlowRow::write(ws, it);
        Run: |ws, it| RunRow::write(ws, it);
        Broadcast: |ws, it| BroadcastRow::write(ws, it);
        BulkOperation: |ws, it| BulkRow::write(ws, it);
        Import: |ws, it| ImportRow::write(ws, it);
        Segment: |ws, it| SegmentRow::write(ws, it);
        SavedReply: |ws, it| Ok(SavedReplyRow::write(ws, it));
        Sequence: |ws, it| SequenceRow::write(ws, it);
        Enrollment: |ws, it| EnrollmentRow::write(ws, it);
        Webhook: |ws, it| WebhookRow::write(ws, it);
        Delivery: |ws, it| Ok(DeliveryRow::write(ws, it));
    }
}

/// A change with statements of its own.
async fn other(c: &mut Connection<'_>, ws: DbId, change: &Change) -> Result<(), Fault> {
    match change {
        Change::Delete(object) => deletes::delete(c, ws, *object).await,
        Change::Access(it) => match it {
            AccessChange::FoundWorkspace(it) => access::found(c, ws, it).await,
            AccessChange::InsertKey(it) => access::insert_key(c, ws, it).await,
            AccessChange::ExpireKey { key, end, at } => access::expire_key(c, ws, *key, *end, *at).await,
            AccessChange::RevokeKey { key, at } => access::revoke_key(c, ws, *key, *at).await,
            AccessChange::InsertInvitation(it) => members::invite(c, ws, it).await,
        },
        Change::Account(it) => match it {
            AccountChange::InsertSession(it) => accounts::insert_session(c, it).await,
            AccountChange::RevokeSession { session, at } => accounts::revoke_session(c, *session, *at).await,
            AccountChange::RevokeSessionsOf { user, except, at } => {
                accounts::revoke_sessions_of(c, *user, *except, *at).await
            }
            AccountChange::InsertRefreshToken(it) => accounts::insert_token(c, it).await,
            AccountChange::RotateRefreshToken { digest, at } => accounts::rotate_token(c, *digest, *at).await,
            AccountChange::InsertSigningKey(it) => accounts::insert_signing_key(c, it).await,
            AccountChange::CountLogin { before, attempts } => accounts::count_login(c, *before, attempts).await,
            AccountChange::ForgetLogins { account } => accounts::forget_logins(c, account).await,
        },
        Change::Channel(ChannelChange::Delete { channel, at }) => channels::delete(c, ws, *channel, *at).await,
        Change::Contact(ContactChange::SetOptIn { contact, channel, opted_in }) => {
            contacts::set_opt_in(c, ws, *contact, *channel, *opted_in).await
        }
        Change::Contact(ContactChange::ReleaseIdentities { contact }) => {
            contacts::release_identities(c, ws, *contact).await
        }
        Change::Contact(ContactChange::Restore(it)) => contacts::restore(c, ws, it).await,
        Change::Contact(ContactChange::ReplaceIdentities { contact, identities }) => {
            contacts::replace_identities(c, ws, *contact, identities).await
        }
        Change::Tag(TagChange::SweepLinks { tag, limit }) => tags::sweep(c, ws, *tag, *limit).await,
        Change::Field(FieldChange::RetireOptions { field, from, to, unused }) => {
            fields::retire(c, ws, *field, from, to, *unused).await
        }
        Change::Field(FieldChange::SweepValues { field, limit }) => fields::sweep(c, ws, *field, *limit).await,
        Change::Reference(ReferenceChange::Put { owner, targets }) => references::put(c, ws, *owner, targets).await,
        Change::Reference(ReferenceChange::Lose { target, name, at }) => {
            references::lose(c, ws, *target, name, *at).await
        }
        Change::Erasure(it) => match it {
            ErasureChange::Begin { contact, erasure } => erasures::begin(c, ws, contact, erasure).await,
            ErasureChange::RemovePart { contact, limit, at } => {
                erasures::remove_part(c, ws, *contact, *limit, *at).await
            }
            ErasureChange::End { contact, at } => erasures::end(c, ws, *contact, *at).await,
        },
        Change::Merge(it) => match it {
            MergeChange::Begin { contact, merge } => merges::begin(c, ws, contact, merge).await,
            MergeChange::MovePart { contact, into, limit } => merges::move_part(c, ws, *contact, *into, *limit).await,
            MergeChange::End { contact, at } => merges::end(c, ws, *contact, *at).await,
        },
        Change::OptOut(it) => match it {
            OptOutChange::MakeKey { sealed, at } => opt_outs::make_key(c, ws, sealed, *at).await,
            OptOutChange::Remember { opt_outs: of, at } => opt_outs::remember(c, ws, of, *at).await,
            OptOutChange::Lift { digests } => opt_outs::lift(c, ws, digests).await,
            OptOutChange::Require { .. } => Err(misplaced()),
        },
        Change::Flow(it) => match it {
            FlowChange::InterruptRuns { contact, at } => flows::interrupt_runs(c, ws, *contact, *at).await,
            FlowChange::DropSteps { run } => flows::drop_steps(c, ws, *run).await,
            FlowChange::WakeCaller { run, at } => flows::wake_steps(c, ws, vec![(*run).into()], *at).await,
            FlowChange::InterruptCalled { run, at } => flows::interrupt_called(c, ws, vec![(*run).into()], *at).await,
            FlowChange::Interrupt { flow, at, due_at } => flows::interrupt_flow(c, ws, *flow, (*at, *due_at)).await,
            FlowChange::MigrateRuns { flow, to, nodes, at } => flows::migrate_runs(c, ws, *flow, *to, nodes, *at).await,
            FlowChange::WakeRuns { flow, at, due_at } => flows::wake_runs(c, ws, *flow, (*at, *due_at)).await,
            FlowChange::PutTriggers { flow, triggers } => flows::put_triggers(c, ws, *flow, triggers).await,
            FlowChange::PutAwaited { flow, awaited, keeps_earlier } => {
                flows::put_awaited(c, ws, *flow, awaited, *keeps_earlier).await
            }
            FlowChange::PutSchedule(it) => flows::put_schedule(c, ws, it).await,
            FlowChange::FreezeAudience { flow, at, audience } => flows::freeze(c, ws, (*flow, *at), audience).await,
            FlowChange::DropRecipients { flow, limit } => flows::drop_recipients(c, ws, *flow, *limit).await,
            FlowChange::Delete { flow, at } => flows::delete(c, ws, *flow, *at).await,
            FlowChange::ReleaseHeld { flow, due_at } => jobs::release_held(c, ws, *flow, *due_at).await,
            FlowChange::InsertVersion(_) | FlowChange::TakeRecipient { .. } | FlowChange::Count { .. } => {
                Err(misplaced())
            }
        },
        Change::Sequence(SequenceChange::ExitEnrollments { contact, reason, at }) => {
            sequences::exit_enrollments(c, ws, *contact, *reason, *at).await
        }
        Change::Broadcast(BroadcastChange::Freeze { broadcast, selection, due_at, zones }) => {
            broadcasts::freeze(c, ws, *broadcast, selection, (*due_at, zones)).await
        }
        Change::Import(it) => match it {
            ImportChange::PutTable { import, table } => imports::put_table(c, ws, *import, table).await,
            ImportChange::DropTable { import } => imports::drop_table(c, ws, *import).await,
            ImportChange::DropRejected { import, limit } => imports::drop_rejected(c, ws, *import, *limit).await,
            ImportChange::Forget(person) => imports::forget(c, ws, person).await,
            ImportChange::Reject { .. } => Err(misplaced()),
        },
        Change::Webhook(WebhookChange::PutReplay(it)) => webhook_replays::put(c, ws, it).await,
        Change::Webhook(WebhookChange::DropReplay(id)) => webhook_replays::drop(c, ws, *id).await,
        Change::Job(JobChange::Park { job, token }) => jobs::park(c, ws, Claim { job: *job, token: *token }).await,
        Change::Job(JobChange::Hold { job, token, flow }) => {
            jobs::hold(c, ws, Claim { job: *job, token: *token }, *flow).await
        }
        Change::Job(JobChange::Release { group, due_at }) => jobs::release(c, ws, *group, *due_at).await,
        Change::Job(JobChange::Bury { job, token, error, at }) => {
            jobs::bury(c, ws, Claim { job: *job, token: *token }, error.clone(), *at).await
        }
        Change::Sandbox(it) => sandboxes::change(c, ws, it).await,
        Change::Job(JobChange::DropDead { job }) => dead_letters::drop_one(c, ws, *job).await,
        // Of a kind of their own.
        Change::Insert(_)
        | Change::Update(_)
        | Change::Audit(_)
        | Change::Contact(
            ContactChange::InsertIdentity { .. } | ContactChange::Touch { .. } | ContactChange::RecordEvent { .. },
        )
        | Change::Tag(TagChange::Link { .. } | TagChange::Unlink { .. })
        | Change::Field(FieldChange::PutValue { .. } | FieldChange::ClearValue { .. })
        | Change::Conversation(ConversationChange::Touch { .. } | ConversationChange::Adopt { .. })
        | Change::Broadcast(BroadcastChange::Settle { .. } | BroadcastChange::Count { .. })
        | Change::Webhook(
            WebhookChange::UpdateHealth { .. }
            | WebhookChange::Stamp { .. }
            | WebhookChange::CountAttempt { .. }
            | WebhookChange::RecordAttempt(_)
            | WebhookChange::InsertAttempt(_),
        )
        | Change::Analytics(AnalyticsChange::Record(_))
        | Change::Job(JobChange::Finish { .. } | JobChange::Reschedule { .. }) => Err(misplaced()),
    }
}

/// A change that has a kind came among those that have none: a mistake of this crate.
fn misplaced() -> Fault {
    tidings_domain::ports::StoreError::Corrupt("a change that has a step of its own".to_owned()).into()
}
