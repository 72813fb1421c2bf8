//! Sequences and enrollments.

mod enrolled;

use async_trait::async_trait;
use diesel::prelude::*;
use serde_json::Value;
use tidings_domain::access::Access;
use tidings_domain::ids::{ContactId, EnrollmentId, SequenceId, TypedId};
use tidings_domain::list_filter::ListFilter;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{SequenceQueries, StoreError};
use tidings_domain::sequences::{
    Enrollment, EnrollmentFilter, ExitOn, ExitReason, Reenroll, Sequence, SequenceStatus, SequenceZone, Step,
    stored_steps,
};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{counted_page, find, load};
use crate::queries::list_index::whole_list;
use crate::queries::named_lists::{by_name_and_status, narrowed};
use crate::queries::rows::{bound, json, to_bindings, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{enrollments, sequences};
use enrolled::read_all;
pub(crate) use enrolled::{EnrollmentRow, exit_enrollments};

crate::write::write_texts! {
    SequenceRow: crate::write::Shape { deleted_at: Some("IS NULL"), ..crate::write::Shape::of("sequences") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = sequences)]
    pub(crate) struct SequenceRow in sequences {
        workspace_id: DbId,
        id: DbId,
        name: String,
        status: String,
        steps: String,
        exit_on: String,
        exit_when: Option<String>,
        bindings: Option<String>,
        reenroll: String,
        time_zone: String,
        revision: i64,
        created_at: DbTime,
        updated_at: DbTime,
        deleted_at: Option<DbTime>,
        version: i64,
    }
}

fn corrupt(what: &str) -> Fault {
    StoreError::Corrupt(what.to_owned()).into()
}

impl SequenceRow {
    pub(crate) fn write(workspace_id: DbId, it: &Sequence) -> Result<Self, Fault> {
        let steps: Vec<_> = it.steps.iter().map(Step::source_json).collect();
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            status: it.status.as_str().to_owned(),
            steps: to_json(&steps)?,
            exit_on: to_json(&it.exit_on)?,
            exit_when: it.exit_when.as_ref().map(|it| to_json(it.source_json())).transpose()?,
            bindings: it.exit_when.as_ref().map(to_bindings).transpose()?.flatten(),
            reenroll: to_json(&it.reenroll.to_value())?,
            time_zone: it.time_zone.as_str().to_owned(),
            revision: it.revision,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            deleted_at: it.deleted_at.map(Into::into),
            version: it.version,
        })
    }

    fn read(self) -> Result<Sequence, Fault> {
        let steps: Value = json(&self.steps, "a sequence's steps")?;
        let exit_on: Vec<ExitOn> = json(&self.exit_on, "a sequence's exits")?;
        let reenroll: Value = json(&self.reenroll, "a sequence's policy")?;
        let bindings = self.bindings.as_deref();
        Ok(Sequence {
            id: self.id.to_typed_id(),
            name: self.name,
            status: word(&self.status, "sequence status", SequenceStatus::parse)?,
            steps: stored_steps(&steps).map_err(|_| corrupt("a sequence's steps"))?,
            exit_on,
            exit_when: self.exit_when.map(|it| bound(&it, bindings, "a sequence's condition")).transpose()?,
            reenroll: Reenroll::parse(&reenroll).map_err(|_| corrupt("a sequence's policy"))?,
            time_zone: word(&self.time_zone, "sequence's zone", SequenceZone::parse)?,
            revision: self.revision,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            deleted_at: self.deleted_at.map(|time| time.0),
            version: self.version,
        })
    }
}

#[async_trait]
impl SequenceQueries for Storage {
    async fn get(&self, access: &Access, sequence: SequenceId) -> Result<Option<Sequence>, StoreError> {
        Ok(self.get_even_deleted(access, sequence).await?.filter(|it| it.deleted_at.is_none()))
    }

    async fn get_even_deleted(&self, access: &Access, sequence: SequenceId) -> Result<Option<Sequence>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(sequence));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<SequenceRow> =
                    find!(&mut c, sequences::table.find((ws, id)).select(SequenceRow::as_select()))?;
                row.map(SequenceRow::read).transpose()
            })
        })
        .await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<SequenceStatus>,
        page: PageRequest,
    ) -> Result<Page<Sequence>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let admits = by_name_and_status(filter.clone(), "sequence status", SequenceStatus::parse);
            let all = sequences::table
                .filter(sequences::workspace_id.eq(ws))
                .filter(sequences::deleted_at.is_null())
                .filter(whole_list(sequences::updated_at));
            let told = (sequences::name, sequences::status);
            return narrowed!(
                self,
                ws,
                page,
                sequences,
                SequenceRow::as_select(),
                all,
                told,
                admits,
                SequenceRow::read
            );
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<SequenceRow>, _) =
                    counted_page!(&mut c, page, (sequences::created_at, sequences::id), {
                        let query = sequences::table
                            .filter(sequences::workspace_id.eq(ws))
                            .filter(sequences::deleted_at.is_null())
                            .select(SequenceRow::as_select());
                        query.filter(whole_list(sequences::updated_at)).into_boxed::<Db>()
                    });
                let found = rows.into_iter().map(SequenceRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn enrollment(&self, access: &Access, enrollment: EnrollmentId) -> Result<Option<Enrollment>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(enrollment));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<EnrollmentRow> =
                    find!(&mut c, enrollments::table.find((ws, id)).select(EnrollmentRow::as_select()))?;
                row.map(EnrollmentRow::read).transpose()
            })
        })
        .await
    }

    async fn last_enrollment(
        &self,
        access: &Access,
        sequence: SequenceId,
        contact: ContactId,
    ) -> Result<Option<Enrollment>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<EnrollmentRow> = find!(
                    &mut c,
                    enrollments::table
                        .filter(enrollments::workspace_id.eq_unindexed(ws))
                        .filter(enrollments::contact_id.eq(DbId::from(contact)))
                        .filter(enrollments::sequence_id.eq(DbId::from(sequence)))
                        .order(enrollments::number.desc())
                        .limit(1)
                        .select(EnrollmentRow::as_select())
                )?;
                row.map(EnrollmentRow::read).transpose()
            })
        })
        .await
    }

    async fn enrollments(
        &self,
        access: &Access,
        filter: &EnrollmentFilter,
        page: PageRequest,
    ) -> Result<Page<Enrollment>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<EnrollmentRow>, _) =
                    counted_page!(&mut c, page, (enrollments::started_at, enrollments::id), {
                        let mut query = enrollments::table.select(EnrollmentRow::as_select()).into_boxed::<Db>();
                        let (contact, sequence) = (filter.contact.map(DbId::from), filter.sequence.map(DbId::from));
                        query = match (contact, sequence) {
                            (None, None) => query.filter(enrollments::workspace_id.eq(ws)),
                            _ => query.filter(enrollments::workspace_id.eq_unindexed(ws)),
                        };
                        if let Some(contact) = contact {
                            query = query.filter(enrollments::contact_id.eq(contact));
                        }
                        query = match (contact, sequence) {
                            (_, None) => query,
                            (Some(_), Some(sequence)) => query.filter(enrollments::sequence_id.eq_unindexed(sequence)),
                            (None, Some(sequence)) => query
                                .filter(enrollments::sequence_id.eq(sequence))
                                .filter(whole_list(enrollments::updated_at)),
                        };
                        if let Some(status) = filter.status {
                            query = query.filter(enrollments::status.eq(status.as_str()));
                        }
                        query
                    });
                let found = read_all(rows)?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.started_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn live_enrollments(&self, access: &Access, contact: ContactId) -> Result<Vec<Enrollment>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<EnrollmentRow> = load!(
                    &mut c,
                    enrollments::table
                        .filter(enrollments::workspace_id.eq_unindexed(ws))
                        .filter(enrollments::contact_id.eq(DbId::from(contact)))
                        .filter(enrollments::ended_at.is_null())
                        .order(enrollments::id.asc())
                        .select(EnrollmentRow::as_select())
                )?;
                read_all(rows)
            })
        })
        .await
    }

    async fn outdated_enrollments(
        &self,
        access: &Access,
        sequence: SequenceId,
        revision: i64,
        limit: u32,
    ) -> Result<Vec<Enrollment>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<EnrollmentRow> = load!(
                    &mut c,
                    enrollments::table
                        .filter(enrollments::workspace_id.eq_unindexed(ws))
                        .filter(enrollments::sequence_id.eq(DbId::from(sequence)))
                        .filter(enrollments::ended_at.is_null())
                        .filter(enrollments::revision.lt(revision))
                        .order(enrollments::id.asc())
                        .limit(i64::from(limit))
                        .select(EnrollmentRow::as_select())
                )?;
                read_all(rows)
            })
        })
        .await
    }

    async fn enrollments_deleted_at(
        &self,
        access: &Access,
        contact: ContactId,
        at: Timestamp,
    ) -> Result<Vec<Enrollment>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<EnrollmentRow> = load!(
                    &mut c,
                    enrollments::table
                        .filter(enrollments::workspace_id.eq_unindexed(ws))
                        .filter(enrollments::contact_id.eq(DbId::from(contact)))
                        .filter(enrollments::exit_reason.eq(ExitReason::ContactDeleted.as_str()))
                        .filter(enrollments::ended_at.eq(DbTime(at)))
                        .order(enrollments::id.asc())
                        .select(EnrollmentRow::as_select())
                )?;
                read_all(rows)
            })
        })
        .await
    }
}
