//! The check for active webhooks with forbidden addresses.

use tidings_storage::Storage;

use super::report::Report;
use crate::settings::Settings;
use crate::wiring::egress_settings;

/// The number of webhooks per query.
const PAGE: u16 = 200;

/// Reports webhooks whose address the settings forbid, as after a restart without `egress.allow_loopback`: their
/// deliveries fail. Names are not resolved.
pub(super) async fn look_at_webhooks(report: &mut Report, settings: &Settings, storage: &Storage) {
    let filter = egress_settings(settings).address_filter();
    let (mut after, mut looked_at, mut refused, mut why) = (None, 0, 0, None);
    loop {
        let page = match storage.webhook_addresses(after, PAGE).await {
            Ok(page) => page,
            Err(error) => return report.wrong("webhooks", error.to_string(), "Check the log of the database."),
        };
        looked_at += page.len();
        for (_, url) in &page {
            if let Err(refusal) = filter.check_url(url) {
                refused += 1;
                why.get_or_insert(refusal);
            }
        }
        match page.last() {
            Some((key, _)) if page.len() == usize::from(PAGE) => after = Some(*key),
            _ => break,
        }
    }
    let Some(why) = why else {
        return report
            .fine("webhooks", &format!("the settings allow the addresses of all {looked_at} active webhooks"));
    };
    report.warn(
        "webhooks",
        &format!("{refused} of {looked_at} active webhooks may not be called, and their deliveries fail: {why}"),
        "Allow these addresses in [egress], or change the URLs of the webhooks.",
    );
}
