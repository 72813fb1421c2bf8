//! gzip compression of responses.

use std::io::{Read, Write};

use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

/// Minimum length in bytes; below it, gzip costs more than it saves.
const WORTH_IT: usize = 1_024;

/// Whether to compress a response of this length.
pub(crate) fn is_worth_it(accepted: bool, length: usize) -> bool {
    accepted && length >= WORTH_IT
}

/// Whether the client accepts gzip (RFC 9110, section 12.5.3). An explicit coding takes precedence over `*`.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut any = None;
    let values = headers.get_all(ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    for coding in values.flat_map(|value| value.split(',')) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = parameters.split(';').find_map(|it| it.trim().strip_prefix("q=")).map(str::trim);
        let wanted = quality.is_none_or(|quality| quality.parse::<f32>().is_ok_and(|quality| quality > 0.0));
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => return wanted,
            "*" => any = Some(wanted),
            _ => {}
        }
    }
    any.unwrap_or(false)
}

/// Compresses the body; `None` if it fails.
pub(crate) fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    pack(body, Compression::fast())
}

/// Compresses at the best level, for a body that is compressed once.
pub(crate) fn gzip_well(body: &[u8]) -> Option<Vec<u8>> {
    pack(body, Compression::best())
}

fn pack(body: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), level);
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

/// Compresses the body with a comment in the gzip header; `None` if the result exceeds `most` bytes.
pub(crate) fn gzip_with_comment(body: &[u8], comment: &str, most: usize) -> Option<Vec<u8>> {
    const PART: usize = 64 * 1024;
    let mut encoder = GzBuilder::new().comment(comment).write(Vec::new(), Compression::fast());
    for part in body.chunks(PART) {
        encoder.write_all(part).ok()?;
        if encoder.get_ref().len() > most {
            return None;
        }
    }
    encoder.finish().ok().filter(|packed| packed.len() <= most)
}

/// Decompresses, for clients that do not accept gzip; `None` if the data is not gzip.
pub(crate) fn unpack(gzip: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut plain).ok()?;
    Some(plain)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn accepts_gzip_only_with_a_quality_above_zero() {
        let accepts = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
            accepts_gzip(&headers)
        };
        for value in ["gzip", "br, GZIP;q=0.5", "x-gzip", "*", "deflate, *;q=0.1", "*;q=0, gzip"] {
            assert!(accepts(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "*, gzip; q=0.0", "identity", "*;q=0", "gzip;q=x"] {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn unpacks_what_it_compressed() {
        let body = vec![b'x'; 5_000];
        for packed in [gzip(&body).unwrap(), gzip_well(&body).unwrap()] {
            assert!(packed.len() < 200);
            assert_eq!(unpack(&packed).unwrap(), body);
        }
        assert_eq!(unpack(&body), None);
    }
}
