// base64 = "0.22", hmac = "0.13", sha2 = "0.11"
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns whether the service signed the delivery. The body must be unchanged.
/// `now` is in Unix seconds.
pub fn verify(secret: &str, id: &str, timestamp: &str, signatures: &str, body: &[u8], now: u64) -> bool {
    let fresh = timestamp.parse().is_ok_and(|sent: u64| now.abs_diff(sent) <= 300);
    let key = secret.strip_prefix("whsec_").and_then(|it| STANDARD.decode(it).ok());
    let (true, Some(key)) = (fresh, key) else {
        return false;
    };
    // During the rotation of a secret there are two signatures. One valid signature is enough.
    signatures.split(' ').filter_map(|it| it.strip_prefix("v1,")).any(|it| {
        let Ok(signature) = STANDARD.decode(it) else {
            return false;
        };
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC accepts keys of any length");
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        mac.verify_slice(&signature).is_ok()
    })
}
