//! Files, without their bytes.

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use tidings_domain::access::Access;
use tidings_domain::ids::{ContactId, MediaId};
use tidings_domain::media::{Media, MediaType, MediaUse};
use tidings_domain::ports::{FilePlace, MediaQueries, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys, execute, find, is_found, load};
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::media;
use crate::write::declared::Tabled;

/// The condition of the index on unused files.
const UNUSED: &str = "media.contact_id IS NULL AND NOT media.is_shared";
/// The condition of files without references from other objects. `OFFSET` makes PostgreSQL look up each file by its ID.
const UNREFERRED: &str = "NOT EXISTS (SELECT 1 FROM object_references AS named WHERE named.target_id = media.id \
    AND named.target_kind = 'media' AND named.lost_at IS NULL LIMIT 1 OFFSET 0)";
const TOTAL: &str = "CAST(coalesce(sum(size), 0) AS bigint)";

crate::write::write_texts! { MediaRow: crate::write::Shape::of("media") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = media)]
    pub(crate) struct MediaRow in media {
        workspace_id: DbId,
        id: DbId,
        name: String,
        mime_type: String,
        size: i64,
        digest: String,
        contact_id: Option<DbId>,
        is_shared: bool,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl Tabled for Media {
    type Row = MediaRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<MediaRow, Fault> {
        let (contact_id, is_shared) = match it.used_by {
            MediaUse::Unused => (None, false),
            MediaUse::Contact(contact) => (Some(contact.into()), false),
            MediaUse::Shared => (None, true),
        };
        Ok(MediaRow {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            mime_type: it.media_type.as_str().to_owned(),
            size: it.size,
            digest: it.sha256.clone(),
            contact_id,
            is_shared,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }
}

impl MediaRow {
    fn read(self) -> Result<Media, Fault> {
        let used_by = match (self.is_shared, self.contact_id) {
            (true, _) => MediaUse::Shared,
            (false, Some(contact)) => MediaUse::Contact(contact.to_typed_id()),
            (false, None) => MediaUse::Unused,
        };
        Ok(Media {
            id: self.id.to_typed_id(),
            name: self.name,
            media_type: word(&self.mime_type, "media type", MediaType::parse)?,
            size: self.size,
            sha256: self.digest,
            used_by,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl MediaQueries for Storage {
    async fn get(&self, access: &Access, media: MediaId) -> Result<Option<Media>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(media));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<MediaRow> = find!(&mut c, media::table.find((ws, id)).select(MediaRow::as_select()))?;
                row.map(MediaRow::read).transpose()
            })
        })
        .await
    }

    async fn by_ids(&self, access: &Access, media: &[MediaId]) -> Result<Vec<Media>, StoreError> {
        let ws = DbId::from(access.workspace());
        let keys: Vec<_> = media.iter().map(|id| (ws, DbId::from(*id))).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<MediaRow> = by_keys!(
                    &mut c,
                    keys,
                    media::table.select(MediaRow::as_select()),
                    (media::workspace_id, media::id)
                )?;
                rows.into_iter().map(MediaRow::read).collect()
            })
        })
        .await
    }

    async fn of_contact(&self, access: &Access, contact: ContactId, limit: u32) -> Result<Vec<MediaId>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let found: Vec<DbId> = load!(
                    &mut c,
                    media::table
                        .filter(media::workspace_id.eq_unindexed(ws))
                        .filter(media::contact_id.eq(contact))
                        .filter(sql::<Bool>(UNREFERRED))
                        .order((media::created_at.asc(), media::id.asc()))
                        .limit(i64::from(limit))
                        .select(media::id)
                )?;
                Ok(found.into_iter().map(DbId::to_typed_id).collect())
            })
        })
        .await
    }

    async fn total_size(&self, access: &Access) -> Result<i64, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let total: Option<i64> =
                    find!(&mut c, media::table.filter(media::workspace_id.eq(ws)).select(sql::<BigInt>(TOTAL)))?;
                Ok(total.unwrap_or(0))
            })
        })
        .await
    }
}

/// Returns the number of files of the workspace, without those that only messages with one contact use.
pub(crate) async fn count_own(c: &mut Connection<'_>, ws: DbId) -> Result<i64, Fault> {
    let own = media::table.filter(media::workspace_id.eq(ws)).filter(media::contact_id.is_null());
    let count: Option<i64> = find!(c, own.count())?;
    Ok(count.unwrap_or(0))
}

/// Locks a file until the end of the transaction. A use and a [`release`] of it must not overlap: a release decides by
/// the messages that use the file.
pub(super) async fn lock(c: &mut Connection<'_>, ws: DbId, file: MediaId) -> Result<(), Fault> {
    let same = media::version.eq(media::version);
    execute!(c, diesel::update(media::table.find((ws, DbId::from(file)))).set(same)).map(|_| ())
}

/// Records that a message with a contact uses a file.
pub(crate) async fn use_by(c: &mut Connection<'_>, ws: DbId, file: MediaId, contact: ContactId) -> Result<(), Fault> {
    let (id, contact) = (DbId::from(file), DbId::from(contact));
    // A shared file stays shared. Without a lock, the messages of a broadcast do not wait for each other.
    let shared = media::table.find((ws, id)).filter(media::is_shared.eq(true));
    if is_found(find!(c, shared.select(media::id).limit(1))?) {
        return Ok(());
    }
    lock(c, ws, file).await?;
    let unused = media::table.find((ws, id)).filter(media::contact_id.is_null()).filter(media::is_shared.eq(false));
    let first = (media::contact_id.eq(Some(contact)), media::version.eq(media::version + 1));
    if execute!(c, diesel::update(unused).set(first))? > 0 {
        return Ok(());
    }
    let of_another = media::table.find((ws, id)).filter(media::contact_id.ne(Some(contact)));
    let shared = (media::contact_id.eq(None::<DbId>), media::is_shared.eq(true), media::version.eq(media::version + 1));
    execute!(c, diesel::update(of_another).set(shared)).map(|_| ())
}

/// Records that no message with a contact uses a file, if only messages with this contact used it. It must be locked.
pub(super) async fn release(c: &mut Connection<'_>, ws: DbId, file: MediaId, contact: DbId) -> Result<(), Fault> {
    let own = media::table.find((ws, DbId::from(file))).filter(media::contact_id.eq(contact));
    let unused = (media::contact_id.eq(None::<DbId>), media::version.eq(media::version + 1));
    execute!(c, diesel::update(own).set(unused)).map(|_| ())
}

/// Deletes at most `room` files that only messages with a contact use. If an object refers to a file, the file stays,
/// without the contact. Returns the number of files.
pub(crate) async fn remove_of(c: &mut Connection<'_>, ws: DbId, contact: DbId, room: i64) -> Result<i64, Fault> {
    let some = some_of(c, ws, contact, room).await?;
    let number = i64::try_from(some.len()).unwrap_or(room);
    for file in some {
        // An object may have referred to the file since the query.
        lock(c, ws, file.to_typed_id()).await?;
        let unreferred = media::table.find((ws, file)).filter(sql::<Bool>(UNREFERRED));
        if execute!(c, diesel::delete(unreferred.filter(media::contact_id.eq(contact))))? == 0 {
            release(c, ws, file.to_typed_id(), contact).await?;
        }
    }
    Ok(number)
}

/// Moves at most `room` files of a contact to another one.
pub(crate) async fn move_of(c: &mut Connection<'_>, ws: DbId, of: DbId, to: DbId, room: i64) -> Result<(), Fault> {
    let some = some_of(c, ws, of, room).await?;
    if !some.is_empty() {
        let target = media::table.filter(media::workspace_id.eq(ws)).filter(media::id.eq_any(some));
        let moved = (media::contact_id.eq(Some(to)), media::version.eq(media::version + 1));
        execute!(cached_on_postgres, c, diesel::update(target).set(moved))?;
    }
    Ok(())
}

/// Whether there are files that only messages with a contact use.
pub(crate) async fn are_left(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<bool, Fault> {
    let own = media::table.filter(media::workspace_id.eq_unindexed(ws)).filter(media::contact_id.eq(contact));
    Ok(is_found(find!(c, own.select(media::id).limit(1))?))
}

async fn some_of(c: &mut Connection<'_>, ws: DbId, contact: DbId, room: i64) -> Result<Vec<DbId>, Fault> {
    load!(
        c,
        media::table
            .filter(media::workspace_id.eq_unindexed(ws))
            .filter(media::contact_id.eq(contact))
            .order((media::created_at.asc(), media::id.asc()))
            .limit(room)
            .select(media::id)
    )
}

/// Deletes the rows of at most `limit` unused files that were created before `before`, oldest first. Files with references
/// from other objects stay. The sweep of files without a row deletes the bytes.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId)> = load!(
        c,
        media::table
            .filter(sql::<Bool>(UNUSED))
            .filter(sql::<Bool>(UNREFERRED))
            .filter(media::created_at.lt(DbTime(before)))
            .order(media::created_at.asc())
            .limit(i64::from(limit))
            .select((media::workspace_id, media::id))
    )?;
    let mut removed = 0;
    for (ws, id) in old {
        // A message or an object may use the file since the query.
        lock(c, ws, id.to_typed_id()).await?;
        let unused = media::table.find((ws, id)).filter(sql::<Bool>(UNUSED)).filter(sql::<Bool>(UNREFERRED));
        removed += execute!(c, diesel::delete(unused))? as u64;
    }
    Ok(removed)
}

/// Returns the files that have a row.
pub(crate) async fn existing(c: &mut Connection<'_>, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, Fault> {
    let keys: Vec<_> = files.iter().map(|it| (DbId::from(it.workspace), DbId::from(it.media))).collect();
    let rows: Vec<(DbId, DbId)> = by_keys!(
        &mut *c,
        keys,
        media::table.select((media::workspace_id, media::id)),
        (media::workspace_id, media::id)
    )?;
    let place = |(ws, id): (DbId, DbId)| FilePlace { workspace: ws.to_typed_id(), media: id.to_typed_id() };
    Ok(rows.into_iter().map(place).collect())
}
