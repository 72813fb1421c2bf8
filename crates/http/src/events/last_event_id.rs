//! `Last-Event-ID`: the position at which a stream resumes (HTML standard, section 9.2).

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use crate::response::problem::{Code, Problem};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Returns the position after which the stream resumes.
///
/// # Errors
/// 400 `invalid_header` for a value that is not the ID of an event in a stream.
pub(crate) fn read(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    let mut values = headers.get_all(LAST_EVENT_ID);
    let Some(value) = values.next() else { return Ok(None) };
    match position(value).filter(|_| values.next().is_none()) {
        Some(position) => Ok(Some(position)),
        None => Err(Problem::new(Code::InvalidHeader).detail(
            "`Last-Event-ID` must be the `id` of the last event of the stream, such as 4711. To start at the present, \
             open the stream without it.",
        )),
    }
}

fn position(value: &HeaderValue) -> Option<i64> {
    let text = value.to_str().ok()?;
    text.parse().ok().filter(|_| text.bytes().all(|it| it.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(values: &[&str]) -> Option<Option<i64>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(LAST_EVENT_ID, HeaderValue::from_str(value).unwrap());
        }
        read(&headers).ok()
    }

    #[test]
    fn accepts_one_whole_number_as_position() {
        assert_eq!(given(&[]), Some(None));
        assert_eq!(given(&["0"]), Some(Some(0)));
        assert_eq!(given(&["9223372036854775807"]), Some(Some(i64::MAX)));
        for wrong in ["", "-1", "+1", "1.0", "x", "9223372036854775808", "evt_1"] {
            assert_eq!(given(&[wrong]), None, "{wrong}");
        }
        assert_eq!(given(&["1", "1"]), None);
    }
}
