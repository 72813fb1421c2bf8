//! The check for workspaces near their storage limit.

use tidings_domain::access::storage_usage::{StorageLevel, StoredOf};
use tidings_storage::Storage;

use super::report::Report;
use crate::settings::Settings;

/// The maximum number of workspaces in the report.
const MOST: usize = 20;

/// Reports the workspaces above 80 percent of their limits, from the latest sums.
pub(super) async fn look_at_storage_limits(report: &mut Report, settings: &Settings, storage: &Storage) {
    let all = match storage.largest_workspaces().await {
        Ok(all) => all,
        Err(error) => return report.wrong("stored_bytes", error.to_string(), "Check the log of the database."),
    };
    let limit = |it: &StoredOf| settings.stored_limits.of(it.plan);
    let near: Vec<&StoredOf> =
        all.iter().filter(|it| StorageLevel::of(it.total, limit(it)) != StorageLevel::Ok).collect();
    if near.is_empty() {
        return report.fine("stored_bytes", "all workspaces are below 80 % of the limit of their plan");
    }
    let share = |it: &StoredOf| it.total.saturating_mul(100) / limit(it).unwrap_or(i64::MAX);
    let named = near.iter().take(MOST).map(|it| format!("{} ({}, {} %)", it.workspace, it.name, share(it)));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = if near.len() > MOST { format!(", and {} more", near.len() - MOST) } else { String::new() };
    report.warn(
        "stored_bytes",
        &format!("workspaces above 80 % of the bytes that their plan allows: {named}{more}"),
        "At 100 %, requests that store data get 409 storage_full. Change the plan, or increase limits.stored_bytes.",
    );
}
