//! New phone numbers and user IDs of contacts,
//! <https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system/>.
//! WhatsApp reports both by a message of type `system`. A new number always comes with a new user ID.

use serde_json::Value;
use tidings_domain::conversations::AddressChange;

use super::address::{is_number, is_user_id};
use crate::contents::provider_time;
use crate::event_digest::event_digest;

/// The message type.
pub(super) const SYSTEM: &str = "system";
/// The system messages about new addresses.
const CHANGES: [&str; 2] = ["user_changed_number", "user_changed_user_id"];

/// Returns the change of addresses that a system message with this ID reports. `None` for other messages, and if an
/// address is missing.
pub(super) fn address_change(message: &Value, id: &str) -> Option<AddressChange> {
    let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
    text("/type").filter(|kind| *kind == SYSTEM)?;
    text("/system/type").filter(|kind| CHANGES.contains(kind))?;
    let number = text("/system/wa_id").filter(|it| is_number(it));
    let user_id = text("/system/user_id").filter(|it| is_user_id(it));
    let current: Vec<String> = number.into_iter().chain(user_id).map(str::to_owned).collect();
    let named = [text("/from"), text("/system/previous_user_id"), text("/from_user_id")];
    let earlier = named.into_iter().flatten().filter(|it| is_number(it) || is_user_id(it)).map(str::to_owned);
    let earlier: Vec<String> = earlier.filter(|it| !current.contains(it)).collect();
    let at = text("/timestamp").and_then(|seconds| seconds.parse().ok()).map(provider_time);
    let change = AddressChange { event: event_digest(id), earlier, current, at };
    (!change.current.is_empty() && !change.earlier.is_empty()).then_some(change)
}
