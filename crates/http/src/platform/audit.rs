//! `/platform/workspaces/{ws}/audit-log`: the changes in a workspace, and who made them.

use tidings_domain::audit::{AuditAction, AuditEntryView, AuditFilter, AuditedKind};
use tidings_domain::read::schema::{Annotate, choice};
use tidings_domain::read::text;
use tidings_domain::time::Timestamp;

use crate::request::RequestContext;
use crate::request::paging::{List, UncountedPageParams};
use crate::request::query::{parameters, time};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The maximum length of an ID in a filter. Secrets use their names.
const MAX_ID: usize = 100;

parameters! {
    struct AuditFilters {
        /// Only entries with this action.
        one action: AuditAction = choice(
            "AuditAction",
            "An action, with its type of object.",
            AuditAction::WORDS,
            AuditAction::parse,
        );
        /// Only entries about this type of object.
        one object_type: AuditedKind =
            choice("AuditedKind", "A type of object.", AuditedKind::WORDS, AuditedKind::parse);
        /// Only entries about the object with this ID, as in the entries.
        one object_id: String = text(1..=MAX_ID);
        /// Only entries of this user or API key, by ID; `system` is the service itself.
        one actor: String = text(1..=MAX_ID).example("system");
        /// Only entries at this time or later.
        one from: Timestamp = time();
        /// Only entries before this time.
        one to: Timestamp = time();
    }
}

impl From<AuditFilters> for AuditFilter {
    fn from(it: AuditFilters) -> Self {
        let AuditFilters { action, object_type: object_kind, object_id: object, actor, from, to } = it;
        Self { action, object_kind, object, actor, from, to }
    }
}

/// List audit log entries.
///
/// Shows who changed what in the workspace, by default in the last 400 days. An entry is stored together with its
/// change. Entries contain no secrets and no personal data; for these, an entry records only that they changed.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/audit-log", tag = "Platform",
    params(AuditFilters, UncountedPageParams),
    responses((status = 200, description = "A page of entries.", body = List<AuditEntryView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    entries(cx).await
}

/// List platform audit log entries.
///
/// Shows which workspaces were deleted, restored and exported, and which user did it. These entries stay after a workspace is erased.
#[utoipa::path(get, path = "/platform/audit-log", tag = "Platform",
    params(AuditFilters, UncountedPageParams),
    responses((status = 200, description = "A page of entries.", body = List<AuditEntryView>)))]
pub async fn list_outside(cx: RequestContext) -> Result<Answer, Problem> {
    entries(cx).await
}

async fn entries(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>();
    let filter: AuditFilters = query.read();
    query.finish()?;
    let page = cx.services().ports.audit.list(cx.access(), &filter.into(), paging.request).await?;
    Ok(cx.page(&paging, page, |entry| AuditEntryView::from(entry)))
}
