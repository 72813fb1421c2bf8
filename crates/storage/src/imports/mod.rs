//! Imports, their tables in parts, and their rejected rows.

mod rejected_rows;

use std::ops::Range;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{Access, Actor};
use tidings_domain::contacts::{ContactKey, ContactNames, ContactRef, Email};
use tidings_domain::ids::{ImportId, TypedId};
use tidings_domain::imports::{BODY_PART, Import, ImportCounts, ImportStatus, OnExisting, Reading, RejectedRow};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{ImportQueries, StoreError};
use tidings_domain::tables::Place;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, execute, find, load};
use crate::queries::list_index::whole_list;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{import_rejects, import_tables, imports};
use crate::write::{self, Shape};

crate::write::write_texts! {
    ImportRow: Shape::of("imports"),
    PartRow: Shape { table: "import_tables", keys: 3, version: "part", deleted_at: None },
    RejectedRecord: Shape { table: "import_rejects", keys: 3, version: "line", deleted_at: None },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = imports)]
    pub(crate) struct ImportRow in imports {
        workspace_id: DbId,
        id: DbId,
        existing: String,
        match_by: Option<String>,
        head: String,
        names: String,
        size: i64,
        next_byte: i64,
        next_line: i64,
        status: String,
        error: Option<String>,
        rows: i64,
        created: i64,
        updated: i64,
        kept: i64,
        rejected: i64,
        still_opted_out: i64,
        reading: String,
        skipped_cells: i64,
        clock_changes: i64,
        created_by: String,
        created_by_id: Option<String>,
        started_at: Option<DbTime>,
        ended_at: Option<DbTime>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct PartRow in import_tables {
        workspace_id: DbId,
        import_id: DbId,
        part: i64,
        content: Vec<u8>,
    }
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct RejectedRecord in import_rejects {
        workspace_id: DbId,
        import_id: DbId,
        line: i64,
        cells: String,
        wrong: String,
        external_id: Option<String>,
        email: Option<String>,
        phone: Option<String>,
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

impl ImportRow {
    pub(crate) fn write(workspace_id: DbId, it: &Import) -> Result<Self, Fault> {
        let ImportCounts { rows, created, updated, kept, rejected, still_opted_out, skipped_cells, clock_changes } =
            it.counts;
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            existing: it.existing.as_str().to_owned(),
            match_by: it.key.map(|key| key.as_str().to_owned()),
            head: to_json(&it.columns)?,
            names: to_json(&it.names)?,
            size: it.size,
            next_byte: signed(it.next.byte),
            next_line: signed(it.next.line),
            status: it.status.as_str().to_owned(),
            error: it.error.as_ref().map(to_json).transpose()?,
            rows,
            created,
            updated,
            kept,
            rejected,
            still_opted_out,
            reading: to_json(&it.reading)?,
            skipped_cells,
            clock_changes,
            created_by: it.created_by.kind_str().to_owned(),
            created_by_id: it.created_by.id.clone(),
            started_at: it.started_at.map(Into::into),
            ended_at: it.ended_at.map(Into::into),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Import, Fault> {
        let Self { rows, created, updated, kept, rejected, still_opted_out, skipped_cells, clock_changes, .. } = self;
        Ok(Import {
            id: self.id.to_typed_id(),
            existing: word(&self.existing, "treatment of existing contacts", OnExisting::parse)?,
            key: self.match_by.as_deref().map(|key| word(key, "key of an import", ContactKey::parse)).transpose()?,
            columns: json(&self.head, "the columns of an import")?,
            names: json(&self.names, "the names of an import")?,
            reading: reading(&self.reading)?,
            size: self.size,
            next: Place {
                byte: unsigned(self.next_byte),
                line: unsigned(self.next_line),
                row: unsigned(self.next_line),
            },
            status: word(&self.status, "import status", ImportStatus::parse)?,
            error: self.error.map(|error| json(&error, "an import's error")).transpose()?,
            counts: ImportCounts {
                rows,
                created,
                updated,
                kept,
                rejected,
                still_opted_out,
                skipped_cells,
                clock_changes,
            },
            created_by: Actor::from_parts(&self.created_by, self.created_by_id),
            started_at: self.started_at.map(|at| at.0),
            ended_at: self.ended_at.map(|at| at.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

/// Decodes the reading of an import. Earlier releases did not store one.
fn reading(text: &str) -> Result<Reading, Fault> {
    if text.is_empty() { Ok(Reading::default()) } else { json(text, "the reading of an import") }
}

impl RejectedRecord {
    pub(crate) fn write(workspace_id: DbId, import: ImportId, it: &RejectedRow) -> Result<Self, Fault> {
        let ContactNames { external_id, email, phone } = &it.names;
        Ok(Self {
            workspace_id,
            import_id: import.into(),
            line: it.line,
            cells: to_json(&it.cells)?,
            wrong: to_json(&it.wrong)?,
            external_id: external_id.as_ref().map(ToString::to_string),
            email: email.as_ref().map(Email::canonical),
            phone: phone.as_ref().map(ToString::to_string),
        })
    }
}

type ReadRejected = (i64, String, String, Option<String>, Option<String>, Option<String>);

fn rejected((line, cells, wrong, external_id, email, phone): ReadRejected) -> Result<RejectedRow, Fault> {
    fn read<T: std::str::FromStr>(text: Option<String>) -> Option<T> {
        text.and_then(|text| text.parse().ok())
    }
    Ok(RejectedRow {
        line,
        cells: json(&cells, "a rejected row")?,
        wrong: json(&wrong, "what is wrong with a rejected row")?,
        names: ContactNames { external_id: read(external_id), email: read(email), phone: read(phone) },
    })
}

pub(crate) async fn put_table(c: &mut Connection<'_>, ws: DbId, import: ImportId, table: &[u8]) -> Result<(), Fault> {
    let parts = (0..).zip(table.chunks(BODY_PART));
    let part = |(part, content): (i64, &[u8])| PartRow {
        workspace_id: ws,
        import_id: import.into(),
        part,
        content: content.to_vec(),
    };
    write::insert(c, &parts.map(part).collect::<Vec<_>>()).await
}

pub(crate) async fn drop_table(c: &mut Connection<'_>, ws: DbId, import: ImportId) -> Result<(), Fault> {
    let own = import_tables::table
        .filter(import_tables::workspace_id.eq(ws))
        .filter(import_tables::import_id.eq(DbId::from(import)));
    execute!(c, diesel::delete(own)).map(|_| ())
}

pub(crate) async fn drop_rejected(c: &mut Connection<'_>, ws: DbId, import: ImportId, limit: u32) -> Result<(), Fault> {
    let id = DbId::from(import);
    let own =
        import_rejects::table.filter(import_rejects::workspace_id.eq(ws)).filter(import_rejects::import_id.eq(id));
    let lines: Vec<i64> =
        load!(c, own.order(import_rejects::line.asc()).limit(i64::from(limit)).select(import_rejects::line))?;
    if let Some(last) = lines.last() {
        execute!(c, diesel::delete(own.filter(import_rejects::line.le(last))))?;
    }
    Ok(())
}

/// Deletes rejected rows that contain one of a contact's identifiers.
pub(crate) async fn forget(c: &mut Connection<'_>, ws: DbId, person: &ContactNames) -> Result<(), Fault> {
    let ContactNames { external_id, email, phone } = person;
    if let Some(it) = external_id {
        let named = import_rejects::table
            .filter(import_rejects::external_id.eq(it.to_string()))
            .filter(import_rejects::workspace_id.eq_unindexed(ws));
        execute!(c, diesel::delete(named))?;
    }
    if let Some(it) = email {
        for email in std::iter::once(it.canonical()).chain(it.earlier_keys()) {
            let named = import_rejects::table
                .filter(import_rejects::email.eq(email))
                .filter(import_rejects::workspace_id.eq_unindexed(ws));
            execute!(c, diesel::delete(named))?;
        }
    }
    if let Some(it) = phone {
        let named = import_rejects::table
            .filter(import_rejects::phone.eq(it.to_string()))
            .filter(import_rejects::workspace_id.eq_unindexed(ws));
        execute!(c, diesel::delete(named))?;
    }
    Ok(())
}

#[async_trait]
impl ImportQueries for Storage {
    async fn get(&self, access: &Access, import: ImportId) -> Result<Option<Import>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(import));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<ImportRow> =
                    find!(&mut c, imports::table.find((ws, id)).select(ImportRow::as_select()))?;
                row.map(ImportRow::read).transpose()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Import>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<ImportRow>, _) =
                    counted_page!(&mut c, page, (imports::created_at, imports::id), {
                        let query = imports::table.filter(imports::workspace_id.eq(ws));
                        query.select(ImportRow::as_select()).into_boxed::<Db>().filter(whole_list(imports::updated_at))
                    });
                let found = rows.into_iter().map(ImportRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn table(&self, access: &Access, import: ImportId, parts: Range<i64>) -> Result<Vec<u8>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(import));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let parts: Vec<Vec<u8>> = load!(
                    &mut c,
                    import_tables::table
                        .filter(import_tables::workspace_id.eq(ws))
                        .filter(import_tables::import_id.eq(id))
                        .filter(import_tables::part.ge(parts.start))
                        .filter(import_tables::part.lt(parts.end))
                        .order(import_tables::part.asc())
                        .select(import_tables::content)
                )?;
                Ok(parts.concat())
            })
        })
        .await
    }

    async fn rejected(
        &self,
        access: &Access,
        import: ImportId,
        behind: i64,
        limit: u32,
    ) -> Result<Vec<RejectedRow>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(import));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<ReadRejected> = load!(
                    &mut c,
                    import_rejects::table
                        .filter(import_rejects::workspace_id.eq(ws))
                        .filter(import_rejects::import_id.eq(id))
                        .filter(import_rejects::line.gt(behind))
                        .order(import_rejects::line.asc())
                        .limit(i64::from(limit))
                        .select((
                            import_rejects::line,
                            import_rejects::cells,
                            import_rejects::wrong,
                            import_rejects::external_id,
                            import_rejects::email,
                            import_rejects::phone,
                        ))
                )?;
                rows.into_iter().map(rejected).collect()
            })
        })
        .await
    }

    async fn rejected_naming(
        &self,
        access: &Access,
        person: &ContactRef,
        behind: Option<(ImportId, i64)>,
        limit: u32,
    ) -> Result<Vec<(ImportId, RejectedRow)>, StoreError> {
        let (ws, person) = (DbId::from(access.workspace()), person.clone());
        let (import, line) = behind.map_or((DbId(uuid::Uuid::nil()), 0), |(import, line)| (import.into(), line));
        self.read(ws, move |mut c| {
            Box::pin(async move { rejected_rows::naming(&mut c, ws, &person, (import, line), limit).await })
        })
        .await
    }
}
