//! The queries for timelines of contacts, newest first.

use async_trait::async_trait;
use diesel::dsl::{case_when, sql};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use tidings_domain::access::Access;
use tidings_domain::conversations::{Message, MessageStatus};
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::events::EventKind;
use tidings_domain::flows::Run;
use tidings_domain::ids::{ContactId, RunId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{StoreError, TimelineQueries};
use tidings_domain::timeline::{MAX_WITH_VALUES, RunSpan, TimelineEvent, WITH_VALUES};

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::{by_keys, keyset, load};
use crate::contacts::custom_events::CustomEventRow;
use crate::conversations::MessageRow;
use crate::flows::RunRow;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{custom_events, events, flow_runs, messages};

diesel::define_sql_function! {
    fn octet_length(text: Text) -> Integer;
}

/// Must match the text of the index on failed and suppressed messages.
const ENDED_WITH_AN_ERROR: &str = "messages.error IS NOT NULL";

#[async_trait]
impl TimelineQueries for Storage {
    async fn events(
        &self,
        access: &Access,
        contact: ContactId,
        page: PageRequest,
    ) -> Result<Vec<TimelineEvent>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        let max_bytes = i32::try_from(MAX_WITH_VALUES).unwrap_or(i32::MAX);
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, String, DbTime, String)> = load!(&mut c, {
                    let [one, other] = WITH_VALUES.map(EventKind::as_str);
                    let has_values = events::kind
                        .eq(one)
                        .or(events::kind.eq(other))
                        .and(octet_length(events::full_envelope).le(max_bytes));
                    let envelope = case_when(has_values, events::full_envelope).otherwise(events::thin_envelope);
                    let query = events::table
                        .filter(events::workspace_id.eq_unindexed(ws))
                        .filter(events::contact_id.eq(contact))
                        .select((events::id, events::kind, events::at, envelope))
                        .into_boxed::<Db>();
                    keyset!(query, page, events::at, events::id)
                })?;
                let told = |(id, kind, at, envelope): (DbId, String, DbTime, String)| {
                    let kind = word(&kind, "event kind", EventKind::parse)?;
                    Ok(TimelineEvent { id: id.to_typed_id(), kind, at: at.0, envelope })
                };
                rows.into_iter().map(told).collect()
            })
        })
        .await
    }

    async fn custom_events(
        &self,
        access: &Access,
        contact: ContactId,
        page: PageRequest,
    ) -> Result<Vec<CustomEvent>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<CustomEventRow> = load!(&mut c, {
                    let query = custom_events::table
                        .filter(custom_events::workspace_id.eq_unindexed(ws))
                        .filter(custom_events::contact_id.eq(contact))
                        .select(CustomEventRow::as_select())
                        .into_boxed::<Db>();
                    keyset!(query, page, custom_events::at, custom_events::id)
                })?;
                rows.into_iter().map(CustomEventRow::read).collect()
            })
        })
        .await
    }

    async fn suppressed(
        &self,
        access: &Access,
        contact: ContactId,
        page: PageRequest,
    ) -> Result<Vec<Message>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<MessageRow> = load!(&mut c, {
                    let query = messages::table
                        .filter(messages::workspace_id.eq_unindexed(ws))
                        .filter(messages::contact_id.eq(contact))
                        .filter(sql::<Bool>(ENDED_WITH_AN_ERROR))
                        .filter(messages::status.eq_unindexed(MessageStatus::Suppressed.as_str()))
                        .select(MessageRow::as_select())
                        .into_boxed::<Db>();
                    keyset!(query, page, messages::created_at, messages::id)
                })?;
                rows.into_iter().map(MessageRow::read).collect()
            })
        })
        .await
    }

    async fn messages_alone(
        &self,
        access: &Access,
        contact: ContactId,
        page: PageRequest,
    ) -> Result<Page<Message>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<MessageRow> = load!(&mut c, {
                    let query = messages::table
                        .filter(messages::workspace_id.eq_unindexed(ws))
                        .filter(messages::contact_id.eq(contact))
                        .filter(messages::conversation_id.is_null())
                        .select(MessageRow::as_select())
                        .into_boxed::<Db>();
                    keyset!(query, page, messages::created_at, messages::id)
                })?;
                let read = rows.into_iter().map(MessageRow::read).collect::<Result<_, _>>()?;
                Ok(Page::cut(read, page.limit, |it: &Message| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }

    async fn spans(&self, access: &Access, contact: ContactId, page: PageRequest) -> Result<Page<RunSpan>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, DbTime, DbTime)> = load!(&mut c, {
                    let query = flow_runs::table
                        .filter(flow_runs::workspace_id.eq_unindexed(ws))
                        .filter(flow_runs::contact_id.eq(contact))
                        .select((flow_runs::id, flow_runs::started_at, flow_runs::updated_at))
                        .into_boxed::<Db>();
                    keyset!(query, page, flow_runs::started_at, flow_runs::id)
                })?;
                let span = |(run, started_at, updated_at): (DbId, DbTime, DbTime)| RunSpan {
                    run: run.to_typed_id(),
                    started_at: started_at.0,
                    updated_at: updated_at.0,
                };
                let spans = rows.into_iter().map(span).collect();
                Ok(Page::cut(spans, page.limit, |it| Position { at: it.started_at, id: it.run.uuid() }))
            })
        })
        .await
    }

    async fn runs(&self, access: &Access, runs: &[RunId]) -> Result<Vec<Run>, StoreError> {
        let ws = DbId::from(access.workspace());
        let keys: Vec<(DbId, DbId)> = runs.iter().map(|run| (ws, DbId::from(*run))).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<RunRow> = by_keys!(
                    &mut c,
                    keys,
                    flow_runs::table.select(RunRow::as_select()),
                    (flow_runs::workspace_id, flow_runs::id)
                )?;
                rows.into_iter().map(RunRow::read).collect()
            })
        })
        .await
    }
}
