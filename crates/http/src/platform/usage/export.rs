//! The usage log as a table for spreadsheets.

use std::collections::VecDeque;
use std::sync::Arc;

use actix_web::http::header::CONTENT_DISPOSITION;
use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::access::usage::{RequestFilter, UsageRecord};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::UsageStore;

use super::RequestFilters;
use crate::request::RequestContext;
use crate::request::csv::write_line;
use crate::response::answer::Answer;
use crate::response::export_body::{ExportSource, Piece};
use crate::response::problem::Problem;

/// The maximum number of requests in a table.
const MOST: usize = 10_000;
/// The number of requests in a page.
const PAGE: u32 = 100;

const COLUMNS: [&str; 11] = [
    "at",
    "method",
    "route",
    "status",
    "duration_ms",
    "key_id",
    "user_id",
    "error_code",
    "errors",
    "request_id",
    "address",
];

/// Export API requests.
///
/// Returns the newest 10 000 requests as CSV (RFC 4180) with a header row. `errors` is JSON, as in the list. A `'` is
/// added before cells that a spreadsheet would read as a formula.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/export", tag = "Platform",
    params(RequestFilters),
    responses((status = 200, description = "The table.", content(
        (String = "text/csv; charset=utf-8", example = "at,method,route,status\n2026-03-02T09:00:00.000Z,GET,/api/v1/me,200\n")))))]
pub async fn export(cx: RequestContext) -> Result<Answer, Problem> {
    let filter = cx.parameters::<RequestFilters>()?.into();
    let running = cx.begin_export()?;
    let next = Some(PageRequest { limit: PAGE, ..PageRequest::default() });
    let log = Log {
        usage: cx.services().ports.usage.clone(),
        access: cx.access().clone(),
        filter,
        has_head: false,
        left: MOST,
        next,
        rows: VecDeque::new(),
    };
    let answer = cx.exported("text/csv; charset=utf-8", log, running);
    Ok(answer.with(CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\""))
}

/// The state of an export.
struct Log {
    usage: Arc<dyn UsageStore>,
    access: Access,
    filter: RequestFilter,
    has_head: bool,
    /// The number of requests that the table can still have.
    left: usize,
    /// The next page; `None` after the last one.
    next: Option<PageRequest>,
    rows: VecDeque<UsageRecord>,
}

#[async_trait]
impl ExportSource for Log {
    fn append(&mut self, text: &mut String) -> Piece {
        if !std::mem::replace(&mut self.has_head, true) {
            write_line(text, COLUMNS);
            return Piece::Appended;
        }
        match self.rows.pop_front() {
            _ if self.left == 0 => Piece::End,
            Some(row) => {
                self.left -= 1;
                write(text, &row);
                Piece::Appended
            }
            None if self.next.is_some() => Piece::NeedsRows,
            None => Piece::End,
        }
    }

    async fn fetch(&mut self) -> Result<(), Error> {
        let Some(request) = self.next.take() else { return Ok(()) };
        let page = self.usage.list(&self.access, &self.filter, request).await?;
        self.next = page.next.map(|after| PageRequest { after: Some(after), ..request });
        self.rows = page.items.into();
        Ok(())
    }
}

fn write(text: &mut String, it: &UsageRecord) {
    let errors =
        if it.errors.is_empty() { String::new() } else { serde_json::to_string(&it.errors).unwrap_or_default() };
    let (key, user) = (it.key.map(|key| key.to_string()), it.user.map(|user| user.to_string()));
    let (at, status, duration) = (it.at.to_string(), it.status.to_string(), it.duration_ms.to_string());
    let cells = [
        at.as_str(),
        &it.method,
        &it.route,
        &status,
        &duration,
        key.as_deref().unwrap_or_default(),
        user.as_deref().unwrap_or_default(),
        it.error_code.as_deref().unwrap_or_default(),
        &errors,
        &it.request_id,
        &it.address,
    ];
    write_line(text, cells);
}
