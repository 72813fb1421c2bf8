//! Reads the stored data of a contact in portions.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::Serialize;

use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::{Contact, ContactNames, ContactRef, ContactView, survivor};
use crate::conversations::{ConversationView, MessageView};
use crate::custom_events::CustomEventView;
use crate::error::Error;
use crate::flows::{RunFilter, RunView};
use crate::ids::{ContactId, ConversationId, EventId, ImportId, TypedId};
use crate::imports::{RejectedRow, RejectedRowView};
use crate::pagination::{Order, Page, PageRequest, Position};
use crate::ports::{ChangeSet, Ports};
use crate::retry::commit_new;
use crate::sequences::{EnrollmentFilter, EnrollmentView};

/// Maximum number of rows per portion. A row has at most some tens of kilobytes; a portion stays in memory until it is
/// taken.
const ROWS: u32 = 25;
/// Maximum number of runs per portion: they have long traces.
const RUNS: u32 = 5;

/// Use cases of the disclosure of stored data.
#[derive(Clone)]
pub struct DisclosureService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl DisclosureService {
    /// Starts to read the stored data of a contact. A deleted or merged contact is only found by its ID; for a merged
    /// one, the data of its survivor is read.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there never was such a contact, [`Error::Store`].
    pub async fn of(&self, access: &Access, contact: &ContactRef) -> Result<DisclosureReader, Error> {
        let living = self.ports.contacts.find(access, contact).await?;
        let living = match living {
            None => survivor(&self.ports, access, contact).await?,
            living => living,
        };
        let found = match (living, contact) {
            (Some(living), _) => Some(living),
            (None, ContactRef::Id(id)) => self.ports.contacts.find_deleted(access, *id).await?,
            (None, ContactRef::ExternalId(_) | ContactRef::Email(_) | ContactRef::Phone(_)) => None,
        };
        let contact = found.ok_or(Error::NotFound)?;
        // The audit entry is stored before any data is returned.
        let mut set = ChangeSet::new(access.workspace());
        let draft = AuditDraft::about(AuditAction::ContactDisclosed, Some(contact.id.to_string()));
        self.ports.add_audit(draft, access, &mut set);
        commit_new(&*self.ports.ledger, set).await?;
        Ok(DisclosureReader::new(Arc::clone(&self.ports), access.clone(), contact))
    }
}

/// A portion of one part of the data. All parts are returned in their order, empty ones too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisclosedPart {
    /// Name of the part.
    pub name: &'static str,
    /// Whether it is a list of rows; otherwise it is a single row.
    pub is_list: bool,
    /// The rows, as JSON.
    pub rows: Vec<String>,
}

impl DisclosedPart {
    fn list(name: &'static str, rows: Vec<String>) -> Self {
        Self { name, is_list: true, rows }
    }
}

/// The next portion, with the position of the last row that was read.
#[derive(Clone)]
enum Next {
    Contact(Box<Contact>),
    Conversations,
    Messages {
        talk: usize,
        after: Option<Position>,
    },
    CustomEvents(Option<Position>),
    Events(Option<Position>),
    /// The next event of a page. Full envelopes are read one by one, because each may contain a whole contact.
    WholeEvents {
        left: VecDeque<EventId>,
        after: Option<Position>,
    },
    Runs(Option<Position>),
    Enrollments(Option<Position>),
    /// Rejected rows that contain the identifier with index `name`, after this import and line.
    Rejected {
        name: usize,
        behind: Option<(ImportId, i64)>,
    },
    End,
}

/// Reads the stored data of a contact. Data that is stored in the meantime may be included or not.
pub struct DisclosureReader {
    ports: Arc<Ports>,
    access: Access,
    contact: ContactId,
    names: Vec<ContactRef>,
    talks: Vec<ConversationId>,
    next: Next,
}

impl DisclosureReader {
    /// Starts to read the data of a contact, without an audit entry.
    pub(crate) fn new(ports: Arc<Ports>, access: Access, contact: Contact) -> Self {
        let (id, names) = (contact.id, ContactNames::of(&contact).refs());
        Self { ports, access, contact: id, names, talks: Vec::new(), next: Next::Contact(Box::new(contact)) }
    }

    /// Returns the next portion; `None` after the last one.
    ///
    /// # Errors
    /// [`Error::Store`]; another call reads the same portion again.
    pub async fn next(&mut self) -> Result<Option<DisclosedPart>, Error> {
        let (ports, access) = (Arc::clone(&self.ports), self.access.clone());
        let (portion, next) = match self.next.clone() {
            Next::Contact(contact) => {
                let rows = vec![text(&ContactView::from(&*contact))];
                (DisclosedPart { name: "contact", is_list: false, rows }, Next::Conversations)
            }
            Next::Conversations => {
                let talks = ports.conversations.with(&access, self.contact).await?;
                self.talks = talks.iter().map(|talk| talk.id).collect();
                let rows = talks.iter().map(|talk| text(&ConversationView::from(talk))).collect();
                (DisclosedPart::list("conversations", rows), Next::Messages { talk: 0, after: None })
            }
            Next::Messages { talk, after } => {
                let page = match self.talks.get(talk) {
                    Some(talk) => ports.conversations.messages(&access, *talk, request(ROWS, after)).await?,
                    None => ports.timeline.messages_alone(&access, self.contact, request(ROWS, after)).await?,
                };
                let rows = page.items.iter().map(|it| text(&MessageView::complete(it))).collect();
                let next = match page.next {
                    Some(after) => Next::Messages { talk, after: Some(after) },
                    None if talk < self.talks.len() => Next::Messages { talk: talk + 1, after: None },
                    None => Next::CustomEvents(None),
                };
                (DisclosedPart::list("messages", rows), next)
            }
            Next::CustomEvents(after) => {
                let found = ports.timeline.custom_events(&access, self.contact, request(ROWS, after)).await?;
                let page = Page::cut(found, ROWS, |it| Position { at: it.at, id: it.id.uuid() });
                let rows = page.items.iter().map(|it| text(&CustomEventView::from(it))).collect();
                let next = page.next.map_or(Next::Events(None), |after| Next::CustomEvents(Some(after)));
                (DisclosedPart::list("custom_events", rows), next)
            }
            Next::Events(after) => {
                let found = ports.timeline.events(&access, self.contact, request(ROWS, after)).await?;
                let page = Page::cut(found, ROWS, |it| Position { at: it.at, id: it.id.uuid() });
                let left = page.items.iter().map(|event| event.id).collect();
                (DisclosedPart::list("events", Vec::new()), Next::WholeEvents { left, after: page.next })
            }
            Next::WholeEvents { mut left, after } => match left.pop_front() {
                Some(event) => {
                    let whole = ports.engine.event(access.workspace(), event).await?;
                    let rows = whole.map(|it| it.full).into_iter().collect();
                    (DisclosedPart::list("events", rows), Next::WholeEvents { left, after })
                }
                None => {
                    let next = after.map_or(Next::Runs(None), |after| Next::Events(Some(after)));
                    (DisclosedPart::list("events", Vec::new()), next)
                }
            },
            Next::Runs(after) => {
                let filter = RunFilter { contact: Some(self.contact), ..RunFilter::default() };
                let page = ports.flows.runs(&access, &filter, request(RUNS, after)).await?;
                let rows = page.items.iter().map(|it| text(&RunView::from(it))).collect();
                let next = page.next.map_or(Next::Enrollments(None), |after| Next::Runs(Some(after)));
                (DisclosedPart::list("flow_runs", rows), next)
            }
            Next::Enrollments(after) => {
                let filter = EnrollmentFilter { contact: Some(self.contact), ..EnrollmentFilter::default() };
                let page = ports.sequences.enrollments(&access, &filter, request(ROWS, after)).await?;
                let rows = page.items.iter().map(|it| text(&EnrollmentView::from(it))).collect();
                let rejected = Next::Rejected { name: 0, behind: None };
                let next = page.next.map_or(rejected, |after| Next::Enrollments(Some(after)));
                (DisclosedPart::list("enrollments", rows), next)
            }
            Next::Rejected { name, behind } => match self.names.get(name) {
                None => (DisclosedPart::list("rejected_rows", Vec::new()), Next::End),
                Some(person) => {
                    let found = ports.imports.rejected_naming(&access, person, behind, ROWS).await?;
                    let next = match found.last() {
                        Some((import, row)) if found.len() >= ROWS as usize => {
                            Next::Rejected { name, behind: Some((*import, row.line)) }
                        }
                        _ => Next::Rejected { name: name + 1, behind: None },
                    };
                    let told = |row: &RejectedRow| self.names.iter().take(name).any(|it| row.names.has(it));
                    let new = found.into_iter().filter(|(_, row)| !told(row)).collect();
                    (DisclosedPart::list("rejected_rows", self.rejected(new).await?), next)
                }
            },
            Next::End => return Ok(None),
        };
        self.next = next;
        Ok(Some(portion))
    }

    /// Returns rows that imports rejected, with the headings of their columns.
    async fn rejected(&self, rows: Vec<(ImportId, RejectedRow)>) -> Result<Vec<String>, Error> {
        let (mut columns, mut told) = (BTreeMap::<ImportId, Vec<String>>::new(), Vec::new());
        for (import, row) in rows {
            if let Entry::Vacant(unknown) = columns.entry(import) {
                let found = self.ports.imports.get(&self.access, import).await?;
                unknown.insert(found.map(|it| it.columns).unwrap_or_default());
            }
            let columns = columns.get(&import).map(Vec::as_slice).unwrap_or_default();
            told.push(text(&RejectedRowView::of(import, columns, &row)));
        }
        Ok(told)
    }
}

fn request(limit: u32, after: Option<Position>) -> PageRequest {
    PageRequest { limit, order: Order::OldestFirst, after, counted: false }
}

/// Serializes a view. Views have only string keys and finite numbers, so this cannot fail.
fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).unwrap_or_else(|_| "null".to_owned())
}
