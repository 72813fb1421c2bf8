//! The hosts that can receive a secret.

use url::Host;

use crate::error::{Error, Violation};
use crate::webhooks::sender::AddressPolicy;

/// Maximum number of hosts per secret.
pub const MAX_HOSTS: usize = 20;

/// Returns the hosts in the form of parsed URLs: names in lower case, without duplicates.
///
/// # Errors
/// [`Error::Invalid`] with all hosts that are not exact names or must not be called.
pub(super) fn checked(hosts: &[String], addresses: &dyn AddressPolicy) -> Result<Vec<String>, Error> {
    let (mut checked, mut violations) = (Vec::new(), Vec::new());
    if hosts.is_empty() || hosts.len() > MAX_HOSTS {
        violations.push(Violation::new("/hosts", "invalid_length", format!("must name 1 to {MAX_HOSTS} hosts")));
    }
    for (place, text) in hosts.iter().enumerate() {
        match host(text, addresses) {
            Ok(host) if checked.contains(&host) => {}
            Ok(host) => checked.push(host),
            Err((code, message)) => violations.push(Violation::new(format!("/hosts/{place}"), code, message)),
        }
    }
    if violations.is_empty() { Ok(checked) } else { Err(Error::Invalid(violations)) }
}

fn host(text: &str, addresses: &dyn AddressPolicy) -> Result<String, (&'static str, String)> {
    let invalid = || {
        let message = "must be one exact host name, such as `api.example.com`: no scheme, port, path or wildcard";
        ("invalid_format", message.to_owned())
    };
    if text.contains('*') {
        return Err(("no_wildcards", "must be one exact host name; wildcards are not allowed".to_owned()));
    }
    let host = match Host::parse(text).map_err(|_| invalid())? {
        Host::Domain(name) if !is_exact(&name) => return Err(invalid()),
        host => host.to_string(),
    };
    addresses.check(&format!("https://{host}/")).map_err(|why| ("forbidden_address", why))?;
    Ok(host)
}

/// Whether a name consists of labels of letters, digits, `-` and `_`, separated by dots.
fn is_exact(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    name.len() <= 253 && name.split('.').all(is_label)
}
