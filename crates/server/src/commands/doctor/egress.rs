//! The checks of outgoing connections: allowed targets and certificate authorities.

use super::report::Report;
use crate::settings::Settings;
use crate::wiring::extra_authorities;

pub(super) fn look_at_egress(report: &mut Report, settings: &Settings) {
    if settings.allow_loopback && !settings.is_development() {
        report.warn(
            "egress",
            "egress.allow_loopback is on: users who can create webhooks can call programs on this machine",
            "Set TIDINGS__EGRESS__ALLOW_LOOPBACK=false.",
        );
    } else if settings.allow_loopback {
        report.fine("egress", "private addresses are rejected; addresses of this machine are allowed for development");
    } else if settings.allowed_networks.is_empty() {
        report.fine("egress", "private addresses and addresses of this machine are rejected");
    }
    if !settings.allowed_networks.is_empty() {
        let open: Vec<String> = settings.allowed_networks.iter().map(ToString::to_string).collect();
        let found = format!("webhooks, channels and flows can also call {} (egress.allowed_networks)", open.join(", "));
        report.fine("networks", &found);
    }
    if !settings.plain_http_hosts.is_empty() {
        let found = format!(
            "calls without TLS are allowed to {} (egress.plain_http_hosts)",
            settings.plain_http_hosts.join(", ")
        );
        report.fine("plain_http", &found);
    }
    match extra_authorities(settings) {
        Ok(found) if found.is_empty() => {}
        Ok(found) => {
            let found = format!("outgoing connections also trust {} (egress.extra_ca_file)", certificates(found.len()));
            report.fine("authorities", &found);
        }
        Err(error) => report.wrong(
            "authorities",
            error.to_string(),
            "Set TIDINGS__EGRESS__EXTRA_CA_FILE to a PEM file with certificates, or to nothing.",
        ),
    }
}

fn certificates(number: usize) -> String {
    if number == 1 { "1 certificate".to_owned() } else { format!("{number} certificates") }
}
