//! What stays the same while the process runs, held once in each form in which it travels.

use std::fmt;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::compress;

/// How far a body is coded already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Not at all: it may be compressed on its way.
    Plain,
    /// In gzip.
    Gzip,
    /// In a form that gzip would not make smaller, such as a picture.
    Dense,
}

/// A body of which both forms are kept once they were asked for.
pub(crate) struct Held {
    given: Bytes,
    coding: Coding,
    other: OnceLock<Option<Bytes>>,
}

impl Held {
    /// Holds a body in the form in which it is there; the other one is made when it is first needed.
    pub(crate) fn new(given: impl Into<Bytes>, coding: Coding) -> Self {
        Self { given: given.into(), coding, other: OnceLock::new() }
    }

    /// The body as it is there.
    pub(crate) fn given(&self) -> &Bytes {
        &self.given
    }

    /// The body for a client that takes gzip, or does not; `None` where it cannot be unpacked.
    pub(crate) fn form(&self, gzip: bool) -> Option<(Bytes, Coding)> {
        let other =
            |make: fn(&[u8]) -> Option<Vec<u8>>| self.other.get_or_init(|| make(&self.given).map(Bytes::from)).clone();
        match (self.coding, gzip) {
            (Coding::Dense, _) | (Coding::Gzip, true) | (Coding::Plain, false) => {
                Some((self.given.clone(), self.coding))
            }
            (Coding::Plain, true) => Some((other(compress::gzip_well)?, Coding::Gzip)),
            // It is not packed anew for anybody who refuses gzip.
            (Coding::Gzip, false) => Some((other(compress::unpack)?, Coding::Plain)),
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Held").field("length", &self.given.len()).field("coding", &self.coding).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_made_once() {
        let text = "a text that is long enough to be worth it. ".repeat(100);
        let plain = Held::new(text.clone(), Coding::Plain);
        let (packed, coding) = plain.form(true).unwrap();
        assert_eq!((coding, packed.as_ptr()), (Coding::Gzip, plain.form(true).unwrap().0.as_ptr()));
        assert_eq!(plain.form(false).unwrap(), (Bytes::from(text.clone()), Coding::Plain));

        let held = Held::new(packed.clone(), Coding::Gzip);
        assert_eq!(held.form(true).unwrap(), (packed, Coding::Gzip));
        let (unpacked, coding) = held.form(false).unwrap();
        assert_eq!((coding, unpacked.as_ptr()), (Coding::Plain, held.form(false).unwrap().0.as_ptr()));
        assert_eq!(unpacked, text);
    }

    #[test]
    fn what_gzip_does_not_make_smaller_has_one_form() {
        let picture = Held::new(&[7u8; 5_000][..], Coding::Dense);
        assert_eq!(picture.form(true), picture.form(false));
        assert_eq!(picture.form(true).unwrap().1, Coding::Dense);
    }

    #[test]
    fn what_is_no_gzip_has_no_plain_form() {
        assert_eq!(Held::new(&b"no gzip"[..], Coding::Gzip).form(false), None);
    }
}
