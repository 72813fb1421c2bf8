//! Keyset pages. Parameters: `limit`, `sort`, `cursor`, `include`. Results: `data`, `next_cursor`, `Link`.

mod rows;

use std::fmt::Debug;

use actix_web::http::header::LINK;
use serde::Serialize;
use tidings_domain::pagination::{Order, Page, PageRequest, Position, Sort, SortBy, SortKey};
use tidings_domain::read::schema::{Annotate, Describe, Described, choice, described};
use tidings_domain::read::{Read, Violation, string};
use tidings_domain::time::Timestamp;
use url::form_urlencoded;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, Ref};
use uuid::Uuid;

pub(crate) use rows::Rows;

use crate::request::RequestContext;
use crate::request::query::{DEFAULT_LIMIT, Parameters, Query, any_text, limit, parameters};
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The items, in order.
    pub data: Vec<T>,
    /// Cursor of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
    /// With `include=total`: the number of items on all pages, exact up to 10 000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, maximum = 10_000)]
    pub total: Option<u64>,
    /// With `include=total`: whether there are more than `total` items.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub total_is_capped: Option<bool>,
}

parameters! {
    /// The parameters of every list.
    pub(crate) struct PageParams {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// Attribute to sort by; a leading `-` reverses the order.
        one sort: Order = order();
        /// `total` also counts the items on all pages.
        one include: Include = include();
        /// `next_cursor` of the previous page. Send the same filters again.
        one cursor: String = cursor();
    }
}

parameters! {
    /// The parameters of a list whose rows are not counted.
    pub(crate) struct UncountedPageParams {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// Attribute to sort by; a leading `-` reverses the order.
        one sort: Order = order();
        /// `next_cursor` of the previous page. Send the same filters again.
        one cursor: String = cursor();
    }
}

/// Additional data of a list.
pub(crate) enum Include {
    Total,
}

/// Parameters that select a page of a list.
pub(crate) trait ListParameters: Parameters {
    /// The orders of the list.
    type Order: ListOrder;

    /// Returns the requested page.
    fn into_list_query(self) -> ListQuery<Self::Order>;
}

/// The request for a page of a list.
pub(crate) struct ListQuery<O> {
    pub(crate) limit: Option<u32>,
    pub(crate) order: Option<O>,
    pub(crate) counted: bool,
    pub(crate) cursor: Option<String>,
}

pub(crate) trait ListOrder: Debug + Default {
    type Key: CursorKey;
}

impl ListOrder for Order {
    type Key = Timestamp;
}

impl ListOrder for Sort {
    type Key = SortKey;
}

impl ListParameters for PageParams {
    type Order = Order;

    fn into_list_query(self) -> ListQuery<Order> {
        ListQuery { limit: self.limit, order: self.sort, counted: self.include.is_some(), cursor: self.cursor }
    }
}

impl ListParameters for UncountedPageParams {
    type Order = Order;

    fn into_list_query(self) -> ListQuery<Order> {
        ListQuery { limit: self.limit, order: self.sort, counted: false, cursor: self.cursor }
    }
}

/// The paging of a list with these parameters.
type PagingOf<P> = Paging<<P as ListParameters>::Order, <<P as ListParameters>::Order as ListOrder>::Key>;

/// The requested page, and the binding of its cursors.
pub struct Paging<O = Order, K = Timestamp> {
    /// The request for the use case.
    pub request: PageRequest<O, K>,
    binding: String,
}

/// A sort key in a cursor.
pub trait CursorKey: Clone {
    /// Returns the key as bytes.
    fn write(&self) -> Vec<u8>;
    /// Parses the output of [`write`](Self::write); `None` for other bytes.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Milliseconds, big-endian.
impl CursorKey for Timestamp {
    fn write(&self) -> Vec<u8> {
        self.millis().to_be_bytes().to_vec()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self::from_millis(i64::from_be_bytes(bytes.try_into().ok()?)))
    }
}

/// A byte for the type, then the value.
impl CursorKey for SortKey {
    fn write(&self) -> Vec<u8> {
        match self {
            Self::Time(None) => vec![b't'],
            Self::Time(Some(time)) => [b'T'].into_iter().chain(time.write()).collect(),
            Self::Text(None) => vec![b's'],
            Self::Text(Some(text)) => [b'S'].into_iter().chain(text.bytes()).collect(),
            Self::Collated(None) => vec![b'c'],
            Self::Collated(Some(key)) => [b'C'].into_iter().chain(key.iter().copied()).collect(),
        }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (b't', []) => Some(Self::Time(None)),
            (b'T', time) => Some(Self::Time(Some(Timestamp::read(time)?))),
            (b's', []) => Some(Self::Text(None)),
            (b'S', text) => Some(Self::Text(Some(String::from_utf8(text.to_vec()).ok()?))),
            (b'c', []) => Some(Self::Collated(None)),
            (b'C', key) => Some(Self::Collated(Some(key.to_vec()))),
            _ => None,
        }
    }
}

impl RequestContext {
    /// Returns the query of a list and its page. The handler then reads its filters and finishes the query, which reports
    /// an invalid cursor together with other wrong parameters.
    pub(crate) fn list_query<P: ListParameters>(&self) -> (Query, PagingOf<P>) {
        let mut query = self.query();
        let mut list = query.read::<P>().into_list_query();
        let filters = query.normal_form(&["cursor", "include", "limit", "sort"]);
        let cursor = list.cursor.take();
        let mut paging = self.first_page(list, &filters);
        if let Some(cursor) = cursor {
            paging.request.after = self.position(&paging.binding, &cursor);
            if paging.request.after.is_none() {
                query.reject_cursor();
            }
        }
        (query, paging)
    }

    /// Returns the page of a list without filters, as [`RequestContext::list_query`].
    ///
    /// # Errors
    /// 400 `invalid_cursor`; 422 for other wrong parameters.
    pub(crate) fn list_page<P: ListParameters>(&self) -> Result<PagingOf<P>, Problem> {
        let (query, paging) = self.list_query::<P>();
        query.finish()?;
        Ok(paging)
    }

    /// Returns the requested page. Its cursors are bound to `filters`, which must be in a normal form.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub(crate) fn paging<O: ListOrder>(
        &self,
        mut list: ListQuery<O>,
        filters: &str,
    ) -> Result<Paging<O, O::Key>, Problem> {
        let cursor = list.cursor.take();
        let mut paging = self.first_page(list, filters);
        if let Some(cursor) = cursor {
            let after = self.position(&paging.binding, &cursor);
            paging.request.after = Some(after.ok_or_else(|| Problem::new(Code::InvalidCursor))?);
        }
        Ok(paging)
    }

    /// Returns the request for the first page, whatever the cursor is.
    fn first_page<O: ListOrder>(&self, list: ListQuery<O>, filters: &str) -> Paging<O, O::Key> {
        let (limit, order) = (list.limit.unwrap_or(DEFAULT_LIMIT), list.order.unwrap_or_default());
        let binding = format!("{} {} {filters} {order:?}", self.route.path, self.path);
        Paging { request: PageRequest { limit, order, after: None, counted: list.counted }, binding }
    }

    /// Returns the response with a page, without a `Link`: the parameters of the list are in the body.
    pub(crate) fn rows_of_body<O, K: CursorKey>(&self, paging: &Paging<O, K>, rows: Rows<K>) -> Answer {
        let next = rows.next.as_ref().map(|position| self.cursor(paging, position));
        rows.answer(next)
    }

    /// Returns the response with this page, each row rendered by `view`, and the total if it was requested.
    pub fn page<T, V: Serialize, O, K: CursorKey>(
        &self,
        paging: &Paging<O, K>,
        page: Page<T, K>,
        view: impl FnMut(&T) -> V,
    ) -> Answer {
        let mut rows = Rows::default();
        rows.add(page, view);
        self.rows(paging, rows)
    }

    /// Returns the response with these rows.
    pub(crate) fn rows<O, K: CursorKey>(&self, paging: &Paging<O, K>, rows: Rows<K>) -> Answer {
        let next_cursor = rows.next.as_ref().map(|position| self.cursor(paging, position));
        let link = next_cursor.as_ref().map(|cursor| {
            let parameters = self.query().normal_form(&["cursor"]);
            let query = form_urlencoded::Serializer::new(parameters).append_pair("cursor", cursor).finish();
            format!("<{}{}?{query}>; rel=\"next\"", self.state.base, self.path)
        });
        let answer = rows.answer(next_cursor);
        match link {
            Some(link) => answer.with(LINK, &link),
            None => answer,
        }
    }

    fn cursor<O, K: CursorKey>(&self, paging: &Paging<O, K>, position: &Position<K>) -> String {
        let workspace = self.access().workspace().to_string();
        self.state.cursors.seal(&paging.binding, &workspace, &payload(position))
    }

    /// Returns the position of a cursor; `None` if the cursor is not valid.
    fn position<K: CursorKey>(&self, binding: &str, cursor: &str) -> Option<Position<K>> {
        let workspace = self.access().workspace().to_string();
        let payload = self.state.cursors.open(binding, &workspace, cursor).ok()?;
        position(&payload)
    }
}

fn order() -> impl Read<Order> + Describe {
    choice("ListOrder", "Order of a list.", &Order::WORDS, Order::parse).default("-created_at")
}

/// Reads one of the sorts of a list. `name` is its name in the OpenAPI document. The error `invalid_value` lists all
/// sorts.
pub(crate) fn sort(name: &'static str, offered: &'static [SortBy]) -> impl Read<Sort> + Describe {
    let words = || offered.iter().flat_map(|by| [by.as_str().to_owned(), format!("-{}", by.as_str())]);
    let read = string(move |text| {
        let listed = || words().collect::<Vec<_>>().join("`, `");
        Sort::parse(text, offered)
            .ok_or_else(|| Violation::at_root("invalid_value", format!("must be one of `{}`", listed())))
    });
    described(read, move || {
        let listed = ObjectBuilder::new().schema_type(Type::String).description(Some("Order of the list."));
        let listed = listed.enum_values(Some(words())).default(Some("-created_at".into()));
        Described { schema: Ref::from_schema_name(name).into(), components: vec![(name.to_owned(), listed.into())] }
    })
}

pub(crate) fn include() -> impl Read<Include> + Describe {
    choice("Include", "Additional data of a list.", &["total"], |word| (word == "total").then_some(Include::Total))
}

pub(crate) fn cursor() -> impl Read<String> + Describe {
    any_text().with(|it| it.max_length(Some(1_024)))
}

/// Returns the key followed by the ID, which has 16 bytes.
fn payload<K: CursorKey>(position: &Position<K>) -> Vec<u8> {
    position.at.write().into_iter().chain(position.id.into_bytes()).collect()
}

fn position<K: CursorKey>(payload: &[u8]) -> Option<Position<K>> {
    let (at, id) = payload.split_last_chunk::<16>()?;
    Some(Position { at: K::read(at)?, id: Uuid::from_bytes(*id) })
}

#[cfg(test)]
mod tests;
