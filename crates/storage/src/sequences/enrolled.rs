//! Rows of enrollments, and the exit of a contact.

use diesel::prelude::*;
use tidings_domain::access::Actor;
use tidings_domain::ids::ContactId;
use tidings_domain::sequences::{Enrollment, EnrollmentStatus, ExitReason};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::enrollments;

crate::write::write_texts! {
    EnrollmentRow: crate::write::Shape::of("enrollments"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = enrollments)]
    pub(crate) struct EnrollmentRow in enrollments {
        workspace_id: DbId,
        id: DbId,
        sequence_id: DbId,
        contact_id: DbId,
        number: i64,
        status: String,
        step: Option<String>,
        next_run_at: Option<DbTime>,
        steps_done: String,
        exit_reason: Option<String>,
        error: Option<String>,
        visit: i64,
        revision: i64,
        enrolled_by_kind: String,
        enrolled_by_id: Option<String>,
        started_at: DbTime,
        ended_at: Option<DbTime>,
        updated_at: DbTime,
        version: i64,
    }
}

impl EnrollmentRow {
    pub(crate) fn write(workspace_id: DbId, it: &Enrollment) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            sequence_id: it.sequence.into(),
            contact_id: it.contact.into(),
            number: it.number,
            status: it.status.as_str().to_owned(),
            step: it.step.clone(),
            next_run_at: it.next_run_at.map(Into::into),
            steps_done: to_json(&it.steps_done)?,
            exit_reason: it.exit_reason.map(|reason| reason.as_str().to_owned()),
            error: it.error.as_ref().map(to_json).transpose()?,
            visit: it.visit,
            revision: it.revision,
            enrolled_by_kind: it.enrolled_by.kind_str().to_owned(),
            enrolled_by_id: it.enrolled_by.id.clone(),
            started_at: it.started_at.into(),
            ended_at: it.ended_at.map(Into::into),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    pub(super) fn read(self) -> Result<Enrollment, Fault> {
        Ok(Enrollment {
            id: self.id.to_typed_id(),
            sequence: self.sequence_id.to_typed_id(),
            contact: self.contact_id.to_typed_id(),
            number: self.number,
            status: word(&self.status, "enrollment status", EnrollmentStatus::parse)?,
            step: self.step,
            next_run_at: self.next_run_at.map(|time| time.0),
            steps_done: json(&self.steps_done, "the steps of an enrollment")?,
            exit_reason: self.exit_reason.map(|it| word(&it, "exit reason", ExitReason::parse)).transpose()?,
            error: self.error.map(|error| json(&error, "an enrollment's error")).transpose()?,
            visit: self.visit,
            revision: self.revision,
            enrolled_by: Actor::from_parts(&self.enrolled_by_kind, self.enrolled_by_id),
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|time| time.0),
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

pub(super) fn read_all(rows: Vec<EnrollmentRow>) -> Result<Vec<Enrollment>, Fault> {
    rows.into_iter().map(EnrollmentRow::read).collect()
}

/// Ends all active enrollments of a contact.
pub(crate) async fn exit_enrollments(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    reason: ExitReason,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = enrollments::table
        .filter(enrollments::workspace_id.eq_unindexed(ws))
        .filter(enrollments::contact_id.eq(DbId::from(contact)))
        .filter(enrollments::ended_at.is_null());
    let changes = (
        enrollments::status.eq(EnrollmentStatus::Exited.as_str()),
        enrollments::exit_reason.eq(reason.as_str()),
        enrollments::next_run_at.eq(None::<DbTime>),
        enrollments::ended_at.eq(DbTime(at)),
        enrollments::updated_at.eq(DbTime(at)),
        enrollments::visit.eq(enrollments::visit + 1),
        enrollments::version.eq(enrollments::version + 1),
    );
    execute!(c, diesel::update(target).set(changes)).map(|_| ())
}
