//! Forms of a secret that a response may contain.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use url::Url;
use url::form_urlencoded::byte_serialize;

/// Minimum length of a derived form in bytes. A shorter form would mask unrelated text.
const SHORTEST: usize = 4;
/// Number of digits of a secret that are recognized in a number; the number may have lost the others.
const DIGITS: usize = 8;

/// Returns the value and its derived forms: trimmed, without its scheme, decoded from `Basic`, and encoded for URLs
/// and JSON.
pub(super) fn of(value: &str) -> Vec<String> {
    let trimmed = value.trim();
    let mut readable = vec![value.to_owned(), trimmed.to_owned()];
    if let Some((scheme, credentials)) = trimmed.split_once(' ').filter(|(scheme, _)| is_scheme(scheme)) {
        readable.push(credentials.trim().to_owned());
        if scheme.eq_ignore_ascii_case("basic")
            && let Some(decoded) = STANDARD.decode(credentials.trim()).ok().and_then(|it| String::from_utf8(it).ok())
        {
            readable.extend(decoded.split_once(':').map(|(_, password)| password.to_owned()));
            readable.push(decoded);
        }
    }
    let written: Vec<String> = readable.iter().flat_map(|text| encoded(text)).collect();
    let derived = readable.into_iter().skip(1).chain(written).filter(|form| form.len() >= SHORTEST);
    std::iter::once(value.to_owned()).chain(derived).collect()
}

/// Whether the word before the credentials is the name of an authentication scheme.
fn is_scheme(word: &str) -> bool {
    ["basic", "bearer", "token", "digest", "apikey", "key"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Returns the text encoded for URLs and for JSON.
fn encoded(text: &str) -> Vec<String> {
    let form: String = byte_serialize(text.as_bytes()).collect();
    let mut forms = vec![form.replace('+', "%20"), form];
    if let Ok(mut url) = Url::parse("http://h/") {
        url.set_query(Some(text));
        forms.extend(url.query().map(ToOwned::to_owned));
        url.set_path(text);
        forms.push(url.path().trim_start_matches('/').to_owned());
    }
    let json = serde_json::Value::from(text).to_string();
    forms.push(json.trim_matches('"').to_owned());
    forms
}

/// Whether a number contains a secret that consists of digits. An exponent, a decimal point and extra digits are
/// ignored.
pub(super) fn is_in_number(secret: &str, number: &str) -> bool {
    let secret = secret.trim();
    if secret.parse::<f64>().is_err() {
        return false;
    }
    let shown = digits(number);
    let whole = digits(secret);
    let significant = whole.trim_matches('0');
    let wanted = if significant.len() >= SHORTEST { significant } else { whole.as_str() };
    let length = wanted.len().min(DIGITS);
    (0..=wanted.len() - length)
        .filter_map(|at| wanted.get(at..at + length))
        .any(|part| !part.is_empty() && shown.contains(part))
}

/// Returns the digits before the exponent.
fn digits(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    mantissa.chars().filter(char::is_ascii_digit).collect()
}
