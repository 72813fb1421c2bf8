//! The checks of published flows: their texts, and their uses of secrets.

use tidings_domain::flows::{has_refused_texts, misuses_secrets};
use tidings_domain::ids::{FlowId, TypedId, WorkspaceId};
use tidings_storage::Storage;
use uuid::Uuid;

use super::report::Report;

/// The number of flows per query.
const PAGE: u16 = 50;
/// The maximum number of flows in a line of the report.
const NAMED: usize = 20;

/// Checks published flows for texts that can no longer be rendered, which makes their runs fail.
pub(super) async fn look_at_flows(report: &mut Report, storage: &Storage) {
    let (mut after, mut looked_at, mut refused, mut misuses) = (None, 0, 0, Vec::new());
    loop {
        let page = match storage.published_definitions(after, PAGE).await {
            Ok(page) => page,
            Err(error) => return report.wrong("flows", error.to_string(), "Check the log of the database."),
        };
        looked_at += page.len();
        refused += page.iter().filter(|(_, definition)| has_refused_texts(definition)).count();
        misuses.extend(page.iter().filter(|(_, definition)| misuses_secrets(definition)).map(|(key, _)| *key));
        match page.last() {
            Some((key, _)) if page.len() == usize::from(PAGE) => after = Some(*key),
            _ => break,
        }
    }
    report_misused_secrets(report, &misuses);
    if refused == 0 {
        return report.fine("flows", &format!("the texts of all {looked_at} published flows can be rendered"));
    }
    report.warn(
        "flows",
        &format!("{refused} of {looked_at} published flows have texts that cannot be rendered; their runs fail"),
        "POST /api/v1/flows/validate reports these texts (`template_error`). Correct and publish these flows.",
    );
}

/// Reports flows whose published version uses a secret in an expression, which makes the call fail.
fn report_misused_secrets(report: &mut Report, misuses: &[(Uuid, Uuid)]) {
    if misuses.is_empty() {
        return report.fine("secret_uses", "published flows use secrets correctly");
    }
    let name = |(ws, flow): &(Uuid, Uuid)| format!("{} of {}", FlowId::from_uuid(*flow), WorkspaceId::from_uuid(*ws));
    let named: Vec<String> = misuses.iter().take(NAMED).map(name).collect();
    let more = if misuses.len() > NAMED { " and more" } else { "" };
    report.warn(
        "secret_uses",
        &format!(
            "{} published flows use a secret in an expression, so their calls fail with secret_not_bare: {}{more}",
            misuses.len(),
            named.join(", ")
        ),
        "Write {{ secrets.NAME }} alone, store a complete value such as `Basic …` as one secret, and publish again.",
    );
}
