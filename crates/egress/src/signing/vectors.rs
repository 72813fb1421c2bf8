//! The published test vectors of both signatures.

use super::secret::SigningSecret;

pub(crate) const SECRET_A: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
pub(crate) const SECRET_B: &str = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
pub(crate) const ID: &str = "evt_01J9Z3K5W8Q2M4N6P7R8S9T0VX";
pub(crate) const TIMESTAMP: i64 = 1_767_225_600;
pub(crate) const BODY: &str = r#"{"id":"evt_01J9Z3K5W8Q2M4N6P7R8S9T0VX","type":"contact.tag_added","api_version":"v1","timestamp":"2026-01-01T00:00:00.000Z","workspace_id":"ws_01J9Z3K5W8Q2M4N6P7R8S9T0VA","data":{"contact_id":"con_01J9Z3K5W8Q2M4N6P7R8S9T0VB","name":"Zoë 🦀"}}"#;
/// Signed with both secrets, A first (the newest).
pub(crate) const STANDARD_SIGNATURE: &str =
    "v1,KI4Ovn9LFF1Xr/iLqKQxZylmREqfjdkAKqcv8KYNWyA= v1,0VWIdVH/1vn3l0zC158ylQKYoSC8gtNASdLeF++IV0I=";
/// Signed with both secrets, A first (the newest).
pub(crate) const SERVICE_SIGNATURE: &str = "t=1767225600,v1=0d9e70221091ee6d9157d662bcc94b573644dd242dd0a754faecea52f9ee16ec,v1=b2fd1c4724ca56fb7aa2e83b275c1a6462d2f7617401a8f1b3b64d1aca83ee83";

pub(crate) fn secret_a() -> SigningSecret {
    SigningSecret::parse(SECRET_A).unwrap()
}

pub(crate) fn secret_b() -> SigningSecret {
    SigningSecret::parse(SECRET_B).unwrap()
}
