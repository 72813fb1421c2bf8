//! Saved replies.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::{SavedReplyId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, StoredQueries};
use tidings_domain::saved_replies::SavedReply;

use super::rows::StoredAttachment;
use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{counted_page, find};
use crate::queries::first_row::FirstRow;
use crate::queries::list_index::whole_list;
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::saved_replies;
use crate::write::declared::Tabled;

crate::write::write_texts! { SavedReplyRow: crate::write::Shape::of("saved_replies") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = saved_replies)]
    pub(crate) struct SavedReplyRow in saved_replies {
        workspace_id: DbId,
        id: DbId,
        name: String,
        name_key: String,
        text: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        attachments: Option<String>,
    }
}

impl Tabled for SavedReply {
    type Row = SavedReplyRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<SavedReplyRow, Fault> {
        Ok(SavedReplyRow {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            name_key: it.name_key(),
            text: it.text.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            attachments: match it.attachments.is_empty() {
                true => None,
                false => Some(to_json(&it.attachments.iter().map(StoredAttachment::of).collect::<Vec<_>>())?),
            },
        })
    }
}

impl SavedReplyRow {
    fn read(self) -> Result<SavedReply, Fault> {
        let attachments: Vec<StoredAttachment> = match &self.attachments {
            Some(attachments) => json(attachments, "the files of a saved reply")?,
            None => Vec::new(),
        };
        Ok(SavedReply {
            id: self.id.to_typed_id(),
            name: self.name,
            text: self.text,
            attachments: attachments.into_iter().map(StoredAttachment::read).collect(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl StoredQueries<SavedReply> for Storage {
    async fn get(&self, access: &Access, reply: SavedReplyId) -> Result<Option<SavedReply>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(reply));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<SavedReplyRow> =
                    find!(&mut c, saved_replies::table.find((ws, id)).select(SavedReplyRow::as_select()))?;
                row.map(SavedReplyRow::read).transpose()
            })
        })
        .await
    }

    async fn by_unique(&self, access: &Access, name: &str) -> Result<Option<SavedReply>, StoreError> {
        let (ws, name) = (DbId::from(access.workspace()), name.to_owned());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<SavedReplyRow> = find!(&mut c, {
                    let query = saved_replies::table.filter(saved_replies::workspace_id.eq(ws)).into_boxed::<Db>();
                    query
                        .filter(saved_replies::name_key.between(name.clone(), name))
                        .order(FirstRow(saved_replies::name_key))
                        .select(SavedReplyRow::as_select())
                })?;
                row.map(SavedReplyRow::read).transpose()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<SavedReply>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<SavedReplyRow>, _) =
                    counted_page!(&mut c, page, (saved_replies::created_at, saved_replies::id), {
                        let query = saved_replies::table.filter(saved_replies::workspace_id.eq(ws));
                        query
                            .select(SavedReplyRow::as_select())
                            .into_boxed::<Db>()
                            .filter(whole_list(saved_replies::updated_at))
                    });
                let found = rows.into_iter().map(SavedReplyRow::read).collect::<Result<_, _>>()?;
                Ok(Page::cut(found, page.limit, |it: &SavedReply| Position { at: it.created_at, id: it.id.uuid() })
                    .of_total(total))
            })
        })
        .await
    }
}
