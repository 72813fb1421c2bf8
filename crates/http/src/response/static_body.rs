//! Static bodies, stored once in each form.

use std::fmt;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::response::compress;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Uncompressed; it can be compressed for transfer.
    Plain,
    Gzip,
    /// Already compressed in another way, such as a picture.
    Dense,
}

/// A body with and without gzip. The second form is made on first use.
pub(crate) struct StaticBody {
    given: Bytes,
    coding: Coding,
    other: OnceLock<Option<Bytes>>,
}

impl StaticBody {
    /// Holds a body in its given form.
    pub(crate) fn new(given: impl Into<Bytes>, coding: Coding) -> Self {
        Self { given: given.into(), coding, other: OnceLock::new() }
    }

    pub(crate) fn original(&self) -> &Bytes {
        &self.given
    }

    /// Returns the body for a client that accepts gzip, or does not; `None` if it cannot be converted.
    pub(crate) fn form(&self, gzip: bool) -> Option<(Bytes, Coding)> {
        let other =
            |make: fn(&[u8]) -> Option<Vec<u8>>| self.other.get_or_init(|| make(&self.given).map(Bytes::from)).clone();
        match (self.coding, gzip) {
            (Coding::Dense, _) | (Coding::Gzip, true) | (Coding::Plain, false) => {
                Some((self.given.clone(), self.coding))
            }
            (Coding::Plain, true) => Some((other(compress::gzip_well)?, Coding::Gzip)),
            // Not compressed again for clients that refuse gzip.
            (Coding::Gzip, false) => Some((other(compress::unpack)?, Coding::Plain)),
        }
    }
}

impl fmt::Debug for StaticBody {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("StaticBody").field("length", &self.given.len()).field("coding", &self.coding).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_each_form_once() {
        let text = "a text that is long enough to be worth it. ".repeat(100);
        let plain = StaticBody::new(text.clone(), Coding::Plain);
        let (packed, coding) = plain.form(true).unwrap();
        assert_eq!((coding, packed.as_ptr()), (Coding::Gzip, plain.form(true).unwrap().0.as_ptr()));
        assert_eq!(plain.form(false).unwrap(), (Bytes::from(text.clone()), Coding::Plain));

        let body = StaticBody::new(packed.clone(), Coding::Gzip);
        assert_eq!(body.form(true).unwrap(), (packed, Coding::Gzip));
        let (unpacked, coding) = body.form(false).unwrap();
        assert_eq!((coding, unpacked.as_ptr()), (Coding::Plain, body.form(false).unwrap().0.as_ptr()));
        assert_eq!(unpacked, text);
    }

    #[test]
    fn keeps_one_form_of_incompressible_content() {
        let picture = StaticBody::new(&[7u8; 5_000][..], Coding::Dense);
        assert_eq!(picture.form(true), picture.form(false));
        assert_eq!(picture.form(true).unwrap().1, Coding::Dense);
    }

    #[test]
    fn returns_no_plain_form_of_invalid_gzip() {
        assert_eq!(StaticBody::new(&b"no gzip"[..], Coding::Gzip).form(false), None);
    }
}
