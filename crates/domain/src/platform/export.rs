//! Reads all data of a workspace in portions, for an export.

mod stored;

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;

use super::{MemberView, PlatformService};
use crate::access::{Access, ApiKeyView, Workspace, WorkspaceView};
use crate::audit::{AuditAction, AuditDraft, AuditEntryView, AuditFilter};
use crate::broadcasts::{BroadcastService, BroadcastView};
use crate::channels::{ChannelView, UnparsedRequest};
use crate::contacts::{Contact, ContactFilter};
use crate::disclosure::DisclosureReader;
use crate::error::Error;
use crate::fields::{BotFieldView, CustomFieldView};
use crate::flows::{Flow, FlowVersionView, FlowView};
use crate::list_filter::ListFilter;
use crate::pagination::{Order, Page, PageRequest, Position, Sort, SortBy, SortKey, SortedRequest};
use crate::ports::ChangeSet;
use crate::retention::Retention;
use crate::retry::commit_new;
use crate::secrets::SecretView;
use crate::segments::{SegmentService, SegmentView};
use crate::sequences::SequenceView;
use crate::tags::TagView;
use crate::webhooks::{WebhookService, WebhookView};
use stored::StoredList;

/// The number of rows of a page. A row can have up to a mebibyte.
const ROWS: u32 = 25;

/// Rows of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedRows {
    /// The type of object, such as `contacts`.
    pub kind: &'static str,
    /// The rows, as JSON.
    pub rows: Vec<String>,
}

/// The lists that are read before the contacts, in this order.
#[derive(Debug, Clone, Copy)]
enum ExportedList {
    Members,
    ApiKeys,
    Channels,
    UnparsedRequests,
    Tags,
    CustomFields,
    BotFields,
    Secrets,
    Stored(StoredList),
    Segments,
    Webhooks,
    Sequences,
    Broadcasts,
    AuditLog,
    Flows,
}

impl ExportedList {
    /// The lists before and after the simple objects.
    const BEFORE: [Self; 8] = [
        Self::Members,
        Self::ApiKeys,
        Self::Channels,
        Self::UnparsedRequests,
        Self::Tags,
        Self::CustomFields,
        Self::BotFields,
        Self::Secrets,
    ];
    const AFTER: [Self; 6] =
        [Self::Segments, Self::Webhooks, Self::Sequences, Self::Broadcasts, Self::AuditLog, Self::Flows];

    fn all() -> VecDeque<Self> {
        let stored = StoredList::ALL.iter().copied().map(Self::Stored);
        Self::BEFORE.into_iter().chain(stored).chain(Self::AFTER).collect()
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Members => "members",
            Self::ApiKeys => "api_keys",
            Self::Channels => "channels",
            Self::UnparsedRequests => "unparsed_requests",
            Self::Tags => "tags",
            Self::CustomFields => "custom_fields",
            Self::BotFields => "bot_fields",
            Self::Secrets => "secrets",
            Self::Stored(list) => list.kind(),
            Self::Segments => "segments",
            Self::Webhooks => "webhooks",
            Self::Sequences => "sequences",
            Self::Broadcasts => "broadcasts",
            Self::AuditLog => "audit_log",
            Self::Flows => "flows",
        }
    }
}

/// Reads all data of a workspace. Changes during the export may or may not be included.
pub struct WorkspaceReader {
    platform: PlatformService,
    access: Access,
    workspace: Option<Box<Workspace>>,
    lists: VecDeque<ExportedList>,
    /// Start of the next page of the first list.
    after: Option<Position>,
    /// Flows with versions to read.
    flows: VecDeque<Flow>,
    /// Start of the next page of versions of the first flow.
    after_version: Option<Position>,
    /// The reader of the current contact.
    disclosure: Option<DisclosureReader>,
    /// The remaining contacts of the page.
    contacts: VecDeque<Contact>,
    /// The next page of contacts; `None` at the end.
    next_contacts: Option<SortedRequest>,
}

impl PlatformService {
    /// Starts to read all data of the workspace of `access`, without secrets. The export is recorded in the audit log.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn export_workspace(&self, access: &Access) -> Result<WorkspaceReader, Error> {
        let workspace = self.workspace(access).await?;
        let mut set = ChangeSet::new(workspace.id);
        let draft = AuditDraft::done(AuditAction::WorkspaceExported, &workspace);
        self.ports.add_audit(draft, access, &mut set);
        commit_new(&*self.ports.ledger, set).await?;
        let order = Sort { by: SortBy::CreatedAt, descending: false };
        Ok(WorkspaceReader {
            platform: self.clone(),
            access: access.clone(),
            workspace: Some(Box::new(workspace)),
            lists: ExportedList::all(),
            after: None,
            flows: VecDeque::new(),
            after_version: None,
            disclosure: None,
            contacts: VecDeque::new(),
            next_contacts: Some(SortedRequest { limit: ROWS, order, after: None, counted: false }),
        })
    }
}

impl WorkspaceReader {
    /// Returns the next portion; `None` after the last one. A portion may have no rows.
    ///
    /// # Errors
    /// [`Error::Store`]; another call reads the same portion again.
    pub async fn next(&mut self) -> Result<Option<ExportedRows>, Error> {
        if let Some(workspace) = self.workspace.take() {
            return Ok(rows("workspace", [WorkspaceView::from(&*workspace)]));
        }
        if let Some(flow) = self.flows.front().cloned() {
            let request = request(self.after_version);
            let page = self.platform.ports.flows.versions(&self.access, flow.id, request).await?;
            self.after_version = page.next;
            if page.next.is_none() {
                self.flows.pop_front();
            }
            let views = page.items.into_iter().map(|version| FlowVersionView::of(&flow, version));
            return Ok(rows("flow_versions", views));
        }
        if let Some(list) = self.lists.front().copied() {
            return self.page_of(list).await.map(Some);
        }
        loop {
            if let Some(disclosure) = &mut self.disclosure {
                if let Some(part) = disclosure.next().await? {
                    let kind = if part.name == "contact" { "contacts" } else { part.name };
                    return Ok(Some(ExportedRows { kind, rows: part.rows }));
                }
                self.disclosure = None;
            }
            if let Some(contact) = self.contacts.pop_front() {
                let ports = Arc::clone(&self.platform.ports);
                self.disclosure = Some(DisclosureReader::new(ports, self.access.clone(), contact));
                continue;
            }
            let Some(request) = self.next_contacts.clone() else { return Ok(None) };
            self.read_contacts(request).await?;
        }
    }

    async fn read_contacts(&mut self, request: SortedRequest) -> Result<(), Error> {
        let (filter, order) = (ContactFilter::default(), request.order);
        let page = self.platform.ports.contacts.list(&self.access, &filter, request).await?;
        self.contacts = page.items.into();
        let following =
            |after: Position<SortKey>| SortedRequest { limit: ROWS, order, after: Some(after), counted: false };
        self.next_contacts = page.next.map(following);
        Ok(())
    }

    async fn page_of(&mut self, list: ExportedList) -> Result<ExportedRows, Error> {
        let (ports, access, page) = (Arc::clone(&self.platform.ports), &self.access, request(self.after));
        let (rows, next): (Vec<String>, Option<Position>) = match list {
            ExportedList::Members => listed(&self.platform.member_views(access, page).await?, MemberView::clone),
            ExportedList::ApiKeys => listed(&self.platform.keys(access, page).await?, ApiKeyView::from),
            ExportedList::Channels => {
                let found = ports.channels.list(access, &ListFilter::default(), page).await?;
                let connectors = &ports.connectors;
                listed(&found, |it| {
                    let view = ChannelView::of(it, connectors.capabilities_of(it));
                    view.without_addresses(connectors.channel_type(it.kind))
                })
            }
            ExportedList::UnparsedRequests => {
                listed(&ports.channels.all_unparsed(access, page).await?, UnparsedRequest::clone)
            }
            ExportedList::Tags => {
                let all = ports.catalog.catalog(access.workspace()).await?;
                (all.tags.values().map(|tag| text(&TagView::from(tag))).collect(), None)
            }
            ExportedList::CustomFields => listed(&ports.fields.list(access, page).await?, CustomFieldView::from),
            ExportedList::BotFields => listed(&ports.fields.bot_list(access, page).await?, BotFieldView::from),
            ExportedList::Secrets => listed(&ports.workspace_secrets.list(access, page).await?, SecretView::from),
            ExportedList::Stored(list) => list.page(&ports, access, page).await?,
            ExportedList::Segments => {
                listed(&SegmentService { ports }.list(access, &ListFilter::default(), page).await?, SegmentView::from)
            }
            ExportedList::Webhooks => listed(
                &WebhookService { ports, retention: Retention::default() }
                    .list(access, &ListFilter::default(), page)
                    .await?,
                WebhookView::from,
            ),
            ExportedList::Sequences => {
                listed(&ports.sequences.list(access, &ListFilter::default(), page).await?, SequenceView::from)
            }
            ExportedList::Broadcasts => {
                let broadcasts = BroadcastService { ports };
                listed(&broadcasts.list(access, &ListFilter::default(), page).await?, BroadcastView::from)
            }
            ExportedList::AuditLog => {
                listed(&ports.audit.list(access, &AuditFilter::default(), page).await?, AuditEntryView::from)
            }
            ExportedList::Flows => {
                let page = ports.flows.list(access, &ListFilter::default(), page).await?;
                let rows = page.items.iter().map(|flow| text(&FlowView::from(flow))).collect();
                self.flows = page.items.into();
                (rows, page.next)
            }
        };
        self.after = next;
        if next.is_none() {
            self.lists.pop_front();
        }
        Ok(ExportedRows { kind: list.kind(), rows })
    }
}

fn listed<'p, T, V: Serialize>(page: &'p Page<T>, view: impl Fn(&'p T) -> V) -> (Vec<String>, Option<Position>) {
    (page.items.iter().map(|it| text(&view(it))).collect(), page.next)
}

fn rows<T: Serialize>(kind: &'static str, views: impl IntoIterator<Item = T>) -> Option<ExportedRows> {
    Some(ExportedRows { kind, rows: views.into_iter().map(|view| text(&view)).collect() })
}

fn request(after: Option<Position>) -> PageRequest {
    PageRequest { limit: ROWS, order: Order::OldestFirst, after, counted: false }
}

/// Views contain only strings as map keys and finite numbers, so serialization cannot fail.
fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).unwrap_or_else(|_| "null".to_owned())
}
