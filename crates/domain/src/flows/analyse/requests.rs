//! Checks of HTTP requests: their URLs and secrets.

use std::collections::BTreeSet;

use super::Finding;
use super::finding::Findings;
use crate::flows::KnownObjects;
use crate::flows::caller::Method;
use crate::flows::definition::{Action, Node, Reading};
use crate::flows::nodes::{HttpRequest, secrets_in};
use crate::text::cut;

/// Maximum size of a hint in bytes: a secret may have 20 hosts, and names may be long.
const MOST_HINT: usize = 256;

/// Returns the HTTP request of a node.
pub(super) fn of(node: &Node) -> Option<&HttpRequest> {
    if let Action::HttpRequest(request) = &node.action { Some(request) } else { None }
}

/// Returns the names of the secrets in all texts that may use secrets.
pub(super) fn secrets(reading: &Reading) -> BTreeSet<String> {
    let templates = reading.found.templates.iter().filter(|(pointer, _)| reading.found.take_secrets.contains(pointer));
    templates.flat_map(|(_, template)| secrets_in(template)).flatten().collect()
}

pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    for node in reading.nodes.values() {
        let Some(request) = of(node) else { continue };
        let at = format!("/nodes/{}/url", node.index);
        if let Some(why) = request.literal_url().and_then(|url| known.forbidden_urls.get(url)) {
            let finding = Finding::error(at.clone(), "forbidden_address", why.clone());
            findings.push(finding.hint("use a public address"));
        }
        if request.save.is_empty() && request.method == Method::Get {
            let message = "no part of the response is saved, and a GET changes nothing";
            let finding = Finding::warning(format!("/nodes/{}", node.index), "unused_answer", message);
            findings.push(finding.hint("save a part of the response, or remove the node"));
        }
        let Some(host) = request.literal_host() else { continue };
        for name in request.secrets() {
            let Some(secret) = known.secrets.iter().find(|secret| secret.name == name) else { continue };
            if findings.is_full() {
                return;
            }
            if !secret.is_for(&host) {
                let message = format!("the secret {name} may not be sent to {host}");
                let hint =
                    format!("add this host to the hosts of the secret, or call one of: {}", secret.hosts.join(", "));
                let finding = Finding::error(at.clone(), "secret_not_for_host", message);
                let finding = finding.with("name", name).with("host", host.clone());
                findings.push(finding.hint(cut(hint, MOST_HINT)));
            }
        }
    }
}

/// Checks the use of a secret in a text. `name` is its name, if literal; `may_stand` is true if the text may use
/// secrets.
pub(super) fn secret(
    pointer: &str,
    name: Option<&str>,
    may_stand: bool,
    known: &[&str],
    findings: &mut Findings,
) -> Option<Finding> {
    match name {
        _ if !may_stand => {
            let message =
                "a secret is only allowed in the `url`, the `headers` and the `body` of a node of type http_request";
            Some(Finding::error(pointer, "secret_not_allowed", message).hint("remove it from this text"))
        }
        None => {
            let message = "the text uses secrets without the name of a secret";
            Some(Finding::error(pointer, "unknown_secret", message).hint("write {{ secrets.NAME }}"))
        }
        Some(name) if !known.contains(&name) => {
            let near = findings.nearest(name, known.iter().copied());
            let near: Vec<String> = near.into_iter().map(|name| format!("secrets.{name}")).collect();
            let message = format!("the workspace has no secret {name}");
            let hint = cut(format!("create it with PUT /api/v1/secrets/{name}"), MOST_HINT);
            let finding = Finding::error(pointer, "unknown_secret", message).with("name", name).hint(hint);
            Some(finding.near(near.iter().map(String::as_str).collect()))
        }
        Some(_) => None,
    }
}
