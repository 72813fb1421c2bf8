//! The fields of a form in the body of a request: `multipart/form-data` (RFC 7578) and
//! `application/x-www-form-urlencoded`.

use std::borrow::Cow;

/// Maximum number of fields that are read.
const MAX_FIELDS: usize = 200;
/// Maximum length of the head of a part in bytes.
const MAX_HEAD: usize = 4 * 1024;
/// Maximum length of a boundary (RFC 2046).
const MAX_BOUNDARY: usize = 70;

/// Returns the first of the fields `names` that the form has, in the order of `names`. `content_type` is the header of
/// the request.
pub(super) fn field<'b>(content_type: &str, body: &'b [u8], names: &[&str]) -> Option<Cow<'b, [u8]>> {
    names.iter().find_map(|name| match media_type(content_type).as_str() {
        "multipart/form-data" => part(body, &boundary(content_type)?, name).map(Cow::Borrowed),
        "application/x-www-form-urlencoded" => pair(body, name).map(Cow::Owned),
        _ => None,
    })
}

/// Returns the media type in lower case, without parameters.
pub(super) fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn boundary(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let mut named = parameters.filter_map(|it| it.trim().split_once('='));
    let (_, value) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("boundary"))?;
    let value = value.trim().trim_matches('"');
    (!value.is_empty() && value.len() <= MAX_BOUNDARY).then(|| value.to_owned())
}

/// Returns the content of the first part with this name.
fn part<'b>(body: &'b [u8], boundary: &str, name: &str) -> Option<&'b [u8]> {
    let first = format!("--{boundary}");
    let between = format!("\r\n{first}");
    let mut rest = body.get(position(body, first.as_bytes())? + first.len()..)?;
    for _ in 0..MAX_FIELDS {
        rest = rest.strip_prefix(b"\r\n")?;
        let head_end = position(rest.get(..MAX_HEAD).unwrap_or(rest), b"\r\n\r\n")?;
        let (head, after) = (rest.get(..head_end)?, rest.get(head_end + 4..)?);
        let end = position(after, between.as_bytes())?;
        if is_named(head, name) {
            return after.get(..end);
        }
        rest = after.get(end + between.len()..)?;
    }
    None
}

/// Whether the head of a part belongs to the field with this name.
fn is_named(head: &[u8], name: &str) -> bool {
    let head = String::from_utf8_lossy(head);
    let disposition = head.lines().find_map(|line| {
        let (header, value) = line.split_once(':')?;
        header.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    });
    let mut parameters = disposition.unwrap_or_default().split(';').skip(1).filter_map(|it| it.trim().split_once('='));
    parameters.any(|(key, value)| key.trim().eq_ignore_ascii_case("name") && value.trim().trim_matches('"') == name)
}

/// Returns the position of the first occurrence of `needle`.
fn position(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let (first, mut start) = (*needle.first()?, 0);
    loop {
        let rest = haystack.get(start..)?;
        let found = start + rest.iter().position(|byte| *byte == first)?;
        if haystack.get(found..)?.starts_with(needle) {
            return Some(found);
        }
        start = found + 1;
    }
}

/// Returns the decoded value of the first pair with this name.
fn pair(body: &[u8], name: &str) -> Option<Vec<u8>> {
    let pairs = body.split(|byte| *byte == b'&').take(MAX_FIELDS);
    let mut named = pairs.filter_map(|pair| {
        let equals = pair.iter().position(|byte| *byte == b'=')?;
        Some((pair.get(..equals)?, pair.get(equals + 1..)?))
    });
    named.find(|(key, _)| decoded(key) == name.as_bytes()).map(|(_, value)| decoded(value))
}

/// Decodes `+` and `%41`. An incomplete `%` stays.
fn decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let hex =
            |digit: Option<&u8>| digit.and_then(|it| char::from(*it).to_digit(16)).and_then(|it| u8::try_from(it).ok());
        rest = after;
        match (*byte, hex(after.first()), hex(after.get(1))) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(high * 16 + low);
                rest = after.get(2..).unwrap_or_default();
            }
            (b'+', _, _) => decoded.push(b' '),
            (other, _, _) => decoded.push(other),
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    const MULTIPART: &str = "multipart/form-data; boundary=\"b1\"";
    const URLENCODED: &str = "application/x-www-form-urlencoded";

    fn found(content_type: &str, body: &[u8], names: &[&str]) -> Option<String> {
        field(content_type, body, names).map(|it| String::from_utf8(it.into_owned()).unwrap())
    }

    #[test]
    fn reads_a_part_of_a_multipart_form() {
        let body = b"preamble\r\n--b1\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\nada\r\n--b1\r\n\
            content-type: message/rfc822\r\nContent-Disposition: form-data; filename=\"m\"; name=\"email\"\r\n\r\n\
            Subject: a\r\n\r\n--b2\r\nb\r\n--b1--\r\n";
        assert_eq!(found(MULTIPART, body, &["to"]).as_deref(), Some("ada"));
        assert_eq!(found(MULTIPART, body, &["body-mime", "email"]).as_deref(), Some("Subject: a\r\n\r\n--b2\r\nb"));
        assert_eq!(found(MULTIPART, body, &["m", "filename"]), None);
        for broken in [
            &b"--b1\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\nada"[..],
            b"--b1",
            b"--b1--\r\n",
            b"--b1\r\nname=\"to\"\r\n--b1--",
            b"",
        ] {
            assert_eq!(found(MULTIPART, broken, &["to"]), None, "{broken:?}");
        }
        assert_eq!(found("multipart/form-data", body, &["to"]), None);
        assert_eq!(found("application/json", body, &["to"]), None);
    }

    #[test]
    fn reads_a_pair_of_an_encoded_form() {
        let body = b"token=a%2Bb&body-mime=Subject%3A+Hi%0d%0a%0D%0A50%+%zz&token=c";
        assert_eq!(found(URLENCODED, body, &["token"]).as_deref(), Some("a+b"));
        assert_eq!(found(URLENCODED, body, &["email", "body-mime"]).as_deref(), Some("Subject: Hi\r\n\r\n50% %zz"));
        assert_eq!(found(URLENCODED, body, &["email"]), None);
        let latin = field(URLENCODED, b"m=%E9", &["m"]);
        assert_eq!(latin.as_deref(), Some(&b"\xe9"[..]));
    }
}
