//! Keyset pages: `limit`, `sort`, `cursor`, `include` in; `data`, `next_cursor`, `Link` out.

mod rows;

use std::fmt::Debug;

use actix_web::http::header::LINK;
use serde::Serialize;
use tidings_domain::pagination::{Order, Page, PageRequest, Position, Sort, SortBy, SortKey};
use tidings_domain::read::Violation;
use tidings_domain::read::texts::word;
use tidings_domain::time::Timestamp;
use url::form_urlencoded;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) use rows::Rows;

use crate::answer::Answer;
use crate::problem::{Code, Problem};
use crate::query::{DEFAULT_LIMIT, Query};
use crate::request::Cx;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The rows, in order.
    pub data: Vec<T>,
    /// Where the next page begins; `null` on the last one.
    pub next_cursor: Option<String>,
    /// With `include=total`: how many rows there are on all pages, exact up to 10 000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, maximum = 10_000)]
    pub total: Option<u64>,
    /// With `include=total`: whether there are more than `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub total_is_capped: Option<bool>,
}

/// The parameters of every list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
pub struct PageParams {
    /// How many rows at the most.
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: Option<u32>,
    /// By which attribute; a `-` in front turns the order around.
    #[param(inline)]
    sort: Option<SortWord>,
    /// `next_cursor` of the page before, with the same filters.
    #[param(max_length = 1024)]
    cursor: Option<String>,
    /// `total` counts the rows of all pages.
    #[param(inline)]
    include: Option<Include>,
}

/// The parameters of a list whose rows are not counted.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
pub struct UncountedPageParams {
    /// How many rows at the most.
    #[param(minimum = 1, maximum = 100, default = 25)]
    limit: Option<u32>,
    /// By which attribute; a `-` in front turns the order around.
    #[param(inline)]
    sort: Option<SortWord>,
    /// `next_cursor` of the page before, with the same filters.
    #[param(max_length = 1024)]
    cursor: Option<String>,
}

/// In which order a list runs.
#[derive(ToSchema)]
#[schema(default = "-created_at")]
#[allow(dead_code, reason = "describes the parameter")]
pub enum SortWord {
    /// Oldest first.
    #[schema(rename = "created_at")]
    OldestFirst,
    /// Newest first.
    #[schema(rename = "-created_at")]
    NewestFirst,
}

/// What else a list tells.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the parameter")]
pub enum Include {
    /// How many rows there are.
    Total,
}

/// Which page is asked for, and to what its cursors are bound.
pub struct Paging<O = Order, K = Timestamp> {
    /// What the use case is asked.
    pub request: PageRequest<O, K>,
    binding: String,
}

/// What a cursor holds of a position.
pub trait CursorKey: Clone {
    /// As bytes.
    fn write(&self) -> Vec<u8>;
    /// What [`write`](Self::write) wrote; `None` for everything else.
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

/// What it is, then the value.
impl CursorKey for SortKey {
    fn write(&self) -> Vec<u8> {
        match self {
            Self::Time(None) => vec![b't'],
            Self::Time(Some(time)) => [b'T'].into_iter().chain(time.write()).collect(),
            Self::Text(None) => vec![b's'],
            Self::Text(Some(text)) => [b'S'].into_iter().chain(text.bytes()).collect(),
        }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (b't', []) => Some(Self::Time(None)),
            (b'T', time) => Some(Self::Time(Some(Timestamp::read(time)?))),
            (b's', []) => Some(Self::Text(None)),
            (b'S', text) => Some(Self::Text(Some(String::from_utf8(text.to_vec()).ok()?))),
            _ => None,
        }
    }
}

impl Cx {
    /// The parameters of a list, of which those of the page are read; the handler reads its
    /// filters and finishes.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub fn list_query(&self) -> Result<(Query, Paging), Problem> {
        self.paged(|query| query.one("sort", word(&Order::WORDS, Order::parse)).unwrap_or_default())
    }

    /// As [`Cx::list_query`], for a list that offers these sorts.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub fn sorted_query(&self, offered: &[SortBy]) -> Result<(Query, Paging<Sort, SortKey>), Problem> {
        let read = sort(offered);
        self.paged(|query| query.one("sort", read).unwrap_or_default())
    }

    fn paged<O: Debug, K: CursorKey>(
        &self,
        order: impl FnOnce(&mut Query) -> O,
    ) -> Result<(Query, Paging<O, K>), Problem> {
        let mut query = self.query();
        let limit = query.limit();
        let order = order(&mut query);
        let counted = self.route.traits.is_counted() && query.include_total();
        let cursor = query.one("cursor", |text| Ok(text.to_owned()));
        let filters = query.normal_form(&["cursor", "include", "limit", "sort"]);
        let binding = format!("{} {} {filters} {order:?}", self.route.path, self.path);
        let after = cursor.map(|cursor| self.position(&binding, &cursor)).transpose()?;
        Ok((query, Paging { request: PageRequest { limit, order, after, counted }, binding }))
    }

    /// As [`list_query`](Self::list_query), for a list whose parameters stand in the body: `filters` in one
    /// normal form are what its cursors are bound to.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub fn list_body<O: Debug + Default, K: CursorKey>(
        &self,
        limit: Option<u32>,
        order: Option<O>,
        cursor: Option<String>,
        filters: &str,
    ) -> Result<Paging<O, K>, Problem> {
        let (limit, order) = (limit.unwrap_or(DEFAULT_LIMIT), order.unwrap_or_default());
        let binding = format!("{} {} {filters} {order:?}", self.route.path, self.path);
        let after = cursor.map(|cursor| self.position(&binding, &cursor)).transpose()?;
        Ok(Paging { request: PageRequest { limit, order, after, counted: false }, binding })
    }

    /// The answer with a page of a list whose parameters stand in the body: no link leads to the next one.
    pub(crate) fn rows_of_body<O, K: CursorKey>(&self, paging: &Paging<O, K>, rows: Rows<K>) -> Answer {
        let next = rows.next.as_ref().map(|position| self.cursor(paging, position));
        rows.answer(next)
    }

    /// The answer with this page, each row as `view` shows it, and with how many rows there are where that was asked for.
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

    /// The answer with rows that were gathered.
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

    fn position<K: CursorKey>(&self, binding: &str, cursor: &str) -> Result<Position<K>, Problem> {
        let workspace = self.access().workspace().to_string();
        let payload = self.state.cursors.open(binding, &workspace, cursor).ok();
        payload.and_then(|payload| position(&payload)).ok_or_else(|| Problem::new(Code::InvalidCursor))
    }
}

/// One of the sorts that a list offers; otherwise `invalid_value`, with all of them.
pub(crate) fn sort(offered: &[SortBy]) -> impl Fn(&str) -> Result<Sort, Violation> {
    move |text| {
        let words = offered.iter().flat_map(|by| [format!("`{}`", by.as_str()), format!("`-{}`", by.as_str())]);
        let listed = || words.collect::<Vec<_>>().join(", ");
        Sort::parse(text, offered)
            .ok_or_else(|| Violation::here("invalid_value", format!("must be one of {}", listed())))
    }
}

impl Query {
    /// `include=total`: whether the rows of all pages are to be counted.
    fn include_total(&mut self) -> bool {
        self.one("include", word(&["total"], |word| (word == "total").then_some(()))).is_some()
    }
}

/// The key, then the id: 16 bytes.
fn payload<K: CursorKey>(position: &Position<K>) -> Vec<u8> {
    position.at.write().into_iter().chain(position.id.into_bytes()).collect()
}

fn position<K: CursorKey>(payload: &[u8]) -> Option<Position<K>> {
    let (at, id) = payload.split_last_chunk::<16>()?;
    Some(Position { at: K::read(at)?, id: Uuid::from_bytes(*id) })
}

#[cfg(test)]
mod tests;
