//! Contacts who stop or resume marketing messages,
//! <https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences/>.
//! Meta sends them to the callback URL of the app, not to the address of a phone number.

use serde_json::Value;
use tidings_domain::conversations::MarketingChange;

use super::address::{is_number, is_user_id};
use crate::contents::provider_time;

/// The field of the changes.
pub(super) const USER_PREFERENCES: &str = "user_preferences";
/// The only category of preferences.
const MARKETING: &str = "marketing_messages";

/// Returns a preference of a contact. `None` for an unknown category or value, and if the address is missing.
pub(super) fn marketing_change(preference: &Value) -> Option<MarketingChange> {
    let text = |name: &str| preference.get(name).and_then(Value::as_str);
    text("category").filter(|category| *category == MARKETING)?;
    let is_stop = match text("value")? {
        "stop" => true,
        "resume" | "signup" => false,
        _ => return None,
    };
    let named = [text("wa_id"), text("user_id")].into_iter().flatten();
    let addresses: Vec<String> = named.filter(|it| is_number(it) || is_user_id(it)).map(str::to_owned).collect();
    let timestamp = preference.get("timestamp");
    let seconds = timestamp.and_then(|it| it.as_i64().or_else(|| it.as_str()?.parse().ok()));
    (!addresses.is_empty()).then_some(MarketingChange { addresses, is_stop, at: seconds.map(provider_time) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tidings_domain::time::Timestamp;

    use super::*;

    fn preference(members: Value) -> Option<MarketingChange> {
        let mut preference = json!({"wa_id": "491711234567", "user_id": "DE.1349", "category": "marketing_messages",
                                    "detail": "User requested to stop marketing messages", "value": "stop",
                                    "timestamp": 1_767_225_600});
        let Value::Object(members) = members else { panic!("an object") };
        preference.as_object_mut().expect("an object").extend(members);
        marketing_change(&preference)
    }

    #[test]
    fn reads_what_the_contact_wants() {
        let stop = MarketingChange {
            addresses: vec!["491711234567".to_owned(), "DE.1349".to_owned()],
            is_stop: true,
            at: Some(Timestamp::EPOCH_2026),
        };
        assert_eq!(preference(json!({})), Some(stop.clone()));
        assert_eq!(preference(json!({"timestamp": "1767225600"})), Some(stop.clone()));
        for value in ["resume", "signup"] {
            let expected = MarketingChange { is_stop: false, ..stop.clone() };
            assert_eq!(preference(json!({"value": value})), Some(expected), "{value}");
        }
        let hidden = MarketingChange { addresses: vec!["DE.1349".to_owned()], at: None, ..stop };
        assert_eq!(preference(json!({"wa_id": null, "timestamp": null})), Some(hidden));
    }

    #[test]
    fn ignores_other_preferences() {
        for members in [
            json!({"category": "calls"}),
            json!({"value": "pause"}),
            json!({"value": null}),
            json!({"wa_id": "a b", "user_id": null}),
        ] {
            assert_eq!(preference(members.clone()), None, "{members}");
        }
    }
}
