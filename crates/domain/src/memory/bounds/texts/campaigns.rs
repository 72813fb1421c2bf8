//! Text in rows of operations on many contacts.

use super::texts;
use crate::broadcasts::Broadcast;
use crate::bulk::BulkOperation;
use crate::imports::{Import, RejectedRow};
use crate::sequences::{Enrollment, Sequence};

texts! {
    Broadcast {
        text: name;
        shown: audience, message, time_zone, error;
        beside: id, channel, scheduled_at, rate_per_minute, repeats, status, round, targeted, started_at, ended_at, created_at,
            updated_at, version
    }
    Sequence {
        text: name, exit_when;
        shown: steps, exit_on, reenroll, time_zone;
        beside: id, status, revision, created_at, updated_at, deleted_at, version
    }
    Enrollment {
        text: step;
        shown: steps_done, error, enrolled_by;
        beside: id, sequence, contact, number, status, next_run_at, exit_reason, visit, revision, started_at, ended_at,
            updated_at, version
    }
    BulkOperation {
        text: condition;
        shown: action, filter, error, created_by;
        beside: id, behind, status, counts, started_at, ended_at, created_at, updated_at, version
    }
    Import {
        text: columns, names;
        shown: reading, error, created_by;
        beside: id, existing, key, size, next, status, counts, started_at, ended_at, created_at, updated_at, version
    }
    RejectedRow { text: cells; shown: wrong, names; beside: line }
}
