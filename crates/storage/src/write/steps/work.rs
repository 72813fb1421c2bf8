//! Steps of imports, webhooks, counts and jobs.

use tidings_domain::ports::{AnalyticsChange, Claim, ImportChange, JobChange, WebhookChange};

use crate::analytics::FactRow;
use crate::imports;
use crate::jobs::{self, Finished, Rescheduled, dead_letters};
use crate::queries::types::DbId;
use crate::webhooks::{StampRow, webhook_replays};
use crate::write::rows::Rows;
use crate::write::step::{Write, writing};

pub(super) fn import(ws: DbId, change: &ImportChange) -> Write<'_> {
    match change {
        ImportChange::PutTable { import, table } => {
            Write::unbatched(move |c| writing(imports::put_table(c, ws, *import, table)))
        }
        ImportChange::DropTable { import } => Write::unbatched(move |c| writing(imports::drop_table(c, ws, *import))),
        ImportChange::Reject { import, row } => Write::Grouped(Rows::Rejected(vec![(ws, *import, row)])),
        ImportChange::DropRejected { import, limit } => {
            Write::unbatched(move |c| writing(imports::drop_rejected(c, ws, *import, *limit)))
        }
        ImportChange::Forget(person) => Write::unbatched(move |c| writing(imports::forget(c, ws, person))),
    }
}

pub(super) fn webhook(ws: DbId, change: &WebhookChange) -> Write<'_> {
    Write::Grouped(match change {
        WebhookChange::UpdateHealth { webhook, health } => Rows::Health(vec![(ws, *webhook, health)]),
        WebhookChange::Stamp { webhook, at } => Rows::Stamp(vec![StampRow::write(ws, *webhook, *at)]),
        WebhookChange::CountAttempt { id, count } => Rows::Fact(vec![FactRow::attempt(ws, *id, count)]),
        WebhookChange::RecordAttempt(it) => Rows::Record(vec![(ws, it)]),
        WebhookChange::InsertAttempt(it) => Rows::Attempt(vec![(ws, it)]),
        WebhookChange::PutReplay(it) => return Write::unbatched(move |c| writing(webhook_replays::put(c, ws, it))),
        WebhookChange::DropReplay(id) => return Write::unbatched(move |c| writing(webhook_replays::drop(c, ws, *id))),
    })
}

pub(super) fn analytics(ws: DbId, change: &AnalyticsChange) -> Write<'_> {
    Write::Grouped(Rows::Fact(vec![match change {
        AnalyticsChange::Record(it) => FactRow::write(ws, it),
        AnalyticsChange::RecordReply(it) => FactRow::reply(ws, it),
    }]))
}

pub(super) fn job(ws: DbId, change: &JobChange) -> Write<'_> {
    match change {
        JobChange::Finish { job, token } => Write::Grouped(Rows::FinishJob(vec![Finished::write(ws, *job, *token)])),
        JobChange::Reschedule { job, token, due_at, error } => {
            let row = Rescheduled::write(ws, *job, *token, *due_at, error.as_deref());
            Write::Grouped(Rows::RescheduleJob(vec![row]))
        }
        JobChange::Park { job, token } => {
            let claim = Claim { job: *job, token: *token };
            Write::unbatched(move |c| writing(jobs::park(c, ws, claim)))
        }
        JobChange::Hold { job, token, until } => {
            let claim = Claim { job: *job, token: *token };
            Write::unbatched(move |c| writing(jobs::hold(c, ws, claim, *until)))
        }
        JobChange::ReleaseHeld { until, due_at } => {
            Write::unbatched(move |c| writing(jobs::release_held(c, ws, *until, *due_at)))
        }
        JobChange::Release { group, due_at } => {
            Write::unbatched(move |c| writing(jobs::release(c, ws, *group, *due_at)))
        }
        JobChange::Bury { job, token, error, at } => {
            let claim = Claim { job: *job, token: *token };
            Write::unbatched(move |c| writing(jobs::bury(c, ws, claim, error.clone(), *at)))
        }
        JobChange::DropDead { job } => Write::unbatched(move |c| writing(dead_letters::drop_one(c, ws, *job))),
    }
}
