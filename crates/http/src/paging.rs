//! Keyset pages: `limit`, `sort`, `cursor` in; `data`, `next_cursor`, `Link` out.

use actix_web::http::header::LINK;
use serde::Serialize;
use tidings_domain::pagination::{Order, Page, PageRequest, Position};
use tidings_domain::time::Timestamp;
use url::form_urlencoded;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::answer::Answer;
use crate::problem::{Code, Problem};
use crate::query::Query;
use crate::request::Cx;
use crate::values::word;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The rows, in order.
    pub data: Vec<T>,
    /// Where the next page begins; `null` on the last one.
    pub next_cursor: Option<String>,
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
    sort: Option<Sort>,
    /// `next_cursor` of the page before, with the same filters.
    #[param(max_length = 1024)]
    cursor: Option<String>,
}

/// In which order a list runs.
#[derive(ToSchema)]
#[schema(default = "-created_at")]
#[allow(dead_code, reason = "describes the parameter")]
pub enum Sort {
    /// Oldest first.
    #[schema(rename = "created_at")]
    OldestFirst,
    /// Newest first.
    #[schema(rename = "-created_at")]
    NewestFirst,
}

/// Which page is asked for, and to what its cursors are bound.
pub struct Paging {
    /// What the use case is asked.
    pub request: PageRequest,
    binding: String,
}

impl Cx {
    /// The parameters of a list, of which those of the page are read; the handler reads its
    /// filters and finishes.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub fn list_query(&self) -> Result<(Query, Paging), Problem> {
        let mut query = self.query();
        let limit = query.limit();
        let order = query.one("sort", word(&Order::WORDS, Order::parse)).unwrap_or_default();
        let cursor = query.one("cursor", |text| Ok(text.to_owned()));
        let filters = query.normal_form(&["cursor", "limit", "sort"]);
        let binding = format!("{} {} {filters} {order:?}", self.route.path, self.path);
        let after = cursor.map(|cursor| self.position(&binding, &cursor)).transpose()?;
        Ok((query, Paging { request: PageRequest { limit, order, after }, binding }))
    }

    /// As [`list_query`](Self::list_query), for a list whose parameters stand in the body: `filters` in one
    /// normal form are what its cursors are bound to.
    ///
    /// # Errors
    /// 400 `invalid_cursor`.
    pub fn list_body(
        &self,
        limit: Option<u32>,
        order: Option<Order>,
        cursor: Option<String>,
        filters: &str,
    ) -> Result<Paging, Problem> {
        let PageRequest { limit: usual, .. } = PageRequest::default();
        let (limit, order) = (limit.unwrap_or(usual), order.unwrap_or_default());
        let binding = format!("{} {} {filters} {order:?}", self.route.path, self.path);
        let after = cursor.map(|cursor| self.position(&binding, &cursor)).transpose()?;
        Ok(Paging { request: PageRequest { limit, order, after }, binding })
    }

    /// The answer with a page of a list whose parameters stand in the body: no link leads to the next one.
    pub fn page_of_body<T, V: Serialize>(&self, paging: &Paging, page: Page<T>, view: impl FnMut(&T) -> V) -> Answer {
        let next_cursor = page.next.map(|position| {
            let workspace = self.access().workspace().to_string();
            self.state.cursors.seal(&paging.binding, &workspace, &payload(position))
        });
        Answer::json(&List { data: page.items.iter().map(view).collect(), next_cursor })
    }

    /// The answer with this page, each row as `view` shows it.
    pub fn page<T, V: Serialize>(&self, paging: &Paging, page: Page<T>, view: impl FnMut(&T) -> V) -> Answer {
        let next_cursor = page.next.map(|position| {
            let workspace = self.access().workspace().to_string();
            self.state.cursors.seal(&paging.binding, &workspace, &payload(position))
        });
        let link = next_cursor.as_ref().map(|cursor| {
            let parameters = self.query().normal_form(&["cursor"]);
            let query = form_urlencoded::Serializer::new(parameters).append_pair("cursor", cursor).finish();
            format!("<{}?{query}>; rel=\"next\"", self.path)
        });
        let answer = Answer::json(&List { data: page.items.iter().map(view).collect(), next_cursor });
        match link {
            Some(link) => answer.with(LINK, &link),
            None => answer,
        }
    }

    fn position(&self, binding: &str, cursor: &str) -> Result<Position, Problem> {
        let workspace = self.access().workspace().to_string();
        let payload = self.state.cursors.open(binding, &workspace, cursor).ok();
        payload.and_then(|payload| position(&payload)).ok_or_else(|| Problem::new(Code::InvalidCursor))
    }
}

/// Milliseconds and id, big-endian: 24 bytes.
fn payload(position: Position) -> Vec<u8> {
    position.at.millis().to_be_bytes().into_iter().chain(position.id.into_bytes()).collect()
}

fn position(payload: &[u8]) -> Option<Position> {
    let (at, id) = payload.split_first_chunk::<8>()?;
    let at = Timestamp::from_millis(i64::from_be_bytes(*at));
    Some(Position { at, id: Uuid::from_slice(id).ok()? })
}

#[cfg(test)]
mod tests;
