//! Secrets of channels: opening and comparing them.

use tidings_domain::channels::{Channel, PlainSecrets, read_secrets, secret_context, token_context};
use tidings_domain::ports::Sealer;

/// Returns the secrets of a channel in plain text; `None` if they cannot be decrypted.
pub(crate) fn open_secrets(sealer: &dyn Sealer, channel: &Channel) -> Option<PlainSecrets> {
    let sealed = &channel.endpoint.as_ref()?.secrets;
    let text = sealer.open(sealed, &secret_context(channel.id)).ok()?;
    Some(read_secrets(&String::from_utf8(text).ok()?))
}

/// Returns the path of a channel's inbound address.
pub(crate) fn inbound_path(sealer: &dyn Sealer, channel: &Channel) -> Option<String> {
    let sealed = &channel.endpoint.as_ref()?.inbound_token;
    let token = sealer.open(sealed, &token_context(channel.id)).ok()?;
    Some(format!("/inbound/{}", String::from_utf8(token).ok()?))
}

/// Compares texts without revealing by the duration where they differ.
pub(crate) fn is_same(left: &str, right: &str) -> bool {
    let differences = left.bytes().zip(right.bytes()).fold(0, |found, (a, b)| std::hint::black_box(found | (a ^ b)));
    left.len() == right.len() && differences == 0
}
