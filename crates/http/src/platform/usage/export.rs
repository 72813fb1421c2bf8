//! The log as a table for spreadsheets.

use actix_web::http::header::CONTENT_DISPOSITION;
use tidings_domain::access::usage::UsageRecord;
use tidings_domain::pagination::PageRequest;

use super::RequestFilters;
use crate::answer::Answer;
use crate::csv::Csv;
use crate::problem::Problem;
use crate::request::Cx;

/// How many requests a table has at the most.
const MOST: usize = 10_000;
/// How many of them are read at once.
const PAGE: u32 = 1_000;

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

/// Writes the newest 10 000 requests as a table.
///
/// In CSV (RFC 4180) with a line of names. `errors` is JSON, as in the list. Where a cell would be a formula in a
/// spreadsheet, a `'` stands before it.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/usage/export", tag = "Platform",
    params(RequestFilters),
    responses((status = 200, description = "The table.", content(
        (String = "text/csv; charset=utf-8", example = "at,method,route,status\n2026-03-02T09:00:00.000Z,GET,/api/v1/me,200\n")))))]
pub async fn export(cx: Cx) -> Result<Answer, Problem> {
    let filter = cx.parameters::<RequestFilters>()?.into();
    let (mut csv, mut written) = (Csv::default(), 0);
    csv.line(COLUMNS);
    let mut request = PageRequest { limit: PAGE, ..PageRequest::default() };
    loop {
        let page = cx.services().ports.usage.list(cx.access(), &filter, request).await?;
        page.items.iter().take(MOST - written).for_each(|it| write(&mut csv, it));
        written += page.items.len();
        request.after = page.next;
        if request.after.is_none() || written >= MOST {
            break;
        }
    }
    let answer = Answer::of_type("text/csv; charset=utf-8", csv.into_text());
    Ok(answer.with(CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\""))
}

fn write(csv: &mut Csv, it: &UsageRecord) {
    let errors =
        if it.errors.is_empty() { String::new() } else { serde_json::to_string(&it.errors).unwrap_or_default() };
    let (key, user) = (it.key.map(|key| key.to_string()), it.user.map(|user| user.to_string()));
    let (at, status, duration) = (it.at.to_string(), it.status.to_string(), it.duration_ms.to_string());
    csv.line([
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
    ]);
}
