//! `/platform/workspaces/{ws}/audit-log`: who changed what.

use tidings_domain::audit::{AuditAction, AuditEntryView, AuditFilter, AuditedKind};
use tidings_domain::read::schema::{Annotate, choice};
use tidings_domain::read::text;
use tidings_domain::time::Timestamp;

use crate::answer::Answer;
use crate::paging::{List, UncountedPageParams};
use crate::problem::Problem;
use crate::query::{parameters, time};
use crate::request::Cx;

/// The longest id that is looked for; secrets go by their names.
const MAX_ID: usize = 100;

parameters! {
    /// The filters of the audit log; all must hold.
    struct AuditFilters {
        /// With this action.
        one action: AuditAction = choice(
            "AuditAction",
            "What was done, and to which kind of object.",
            AuditAction::WORDS,
            AuditAction::parse,
        );
        /// About objects of this kind.
        one object_type: AuditedKind =
            choice("AuditedKind", "A kind of object.", AuditedKind::WORDS, AuditedKind::parse);
        /// About the object with this id, as the entries have it.
        one object_id: String = text(1..=MAX_ID);
        /// By this person or key, by their id; `system` is the service itself.
        one actor: String = text(1..=MAX_ID).example("system");
        /// At this time or later.
        one from: Timestamp = time();
        /// Before this time.
        one to: Timestamp = time();
    }
}

impl From<AuditFilters> for AuditFilter {
    fn from(it: AuditFilters) -> Self {
        let AuditFilters { action, object_type: object_kind, object_id: object, actor, from, to } = it;
        Self { action, object_kind, object, actor, from, to }
    }
}

/// Lists who changed what in the workspace: of the last 400 days by default.
///
/// An entry is written with the change that it tells of: there is none without the other. It holds no secret, and no personal
/// data: of those it says that they changed.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/audit-log", tag = "Platform",
    params(AuditFilters, UncountedPageParams),
    responses((status = 200, description = "A page of entries.", body = List<AuditEntryView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<UncountedPageParams>()?;
    let filter: AuditFilters = query.read();
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().ports.audit.list(cx.access(), &filter.into(), paging.request).await?;
    Ok(cx.page(&paging, page, |entry| AuditEntryView::from(entry)))
}
