//! The header `Range` (RFC 9110, section 14.2).

/// The bytes of a file that a response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// All bytes, with the status 200.
    Whole,
    /// The bytes with these first and last indexes, with the status 206.
    Part(u64, u64),
    /// None, with the status 416: the range begins after the end.
    Unsatisfiable,
}

impl ByteRange {
    /// Selects the bytes of a file with this size. A header with another unit, with several ranges or with a syntax
    /// error is ignored, as the RFC allows.
    pub(super) fn of(header: Option<&str>, size: u64) -> Self {
        let Some(range) = header.and_then(|it| it.trim().strip_prefix("bytes=")) else { return Self::Whole };
        let Some((first, last)) = range.trim().split_once('-') else { return Self::Whole };
        let end = size.saturating_sub(1);
        match (number(first), number(last)) {
            (Number::Absent, Number::Is(0)) => Self::Unsatisfiable,
            (Number::Absent, Number::Is(_)) | (Number::Is(_), Number::Absent) if size == 0 => Self::Unsatisfiable,
            (Number::Absent, Number::Is(length)) => Self::Part(size.saturating_sub(length), end),
            (Number::Is(first), Number::Absent) if first >= size => Self::Unsatisfiable,
            (Number::Is(first), Number::Absent) => Self::Part(first, end),
            (Number::Is(first), Number::Is(last)) if last < first => Self::Whole,
            (Number::Is(first), Number::Is(_)) if first >= size => Self::Unsatisfiable,
            (Number::Is(first), Number::Is(last)) => Self::Part(first, last.min(end)),
            (Number::Absent, Number::Absent) | (Number::Wrong, _) | (_, Number::Wrong) => Self::Whole,
        }
    }
}

/// A position in the header.
#[derive(Debug, Clone, Copy)]
enum Number {
    Absent,
    Is(u64),
    Wrong,
}

fn number(text: &str) -> Number {
    match text {
        "" => Number::Absent,
        digits if !digits.bytes().all(|byte| byte.is_ascii_digit()) => Number::Wrong,
        // More than 64 bits: after the end of any file.
        digits => Number::Is(digits.parse().unwrap_or(u64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_the_bytes_of_a_range() {
        let of = |header: &str| ByteRange::of(Some(header), 100);
        assert_eq!(ByteRange::of(None, 100), ByteRange::Whole);
        assert_eq!(of("bytes=0-9"), ByteRange::Part(0, 9));
        assert_eq!(of("bytes=90-"), ByteRange::Part(90, 99));
        assert_eq!(of("bytes=-10"), ByteRange::Part(90, 99));
        assert_eq!(of("bytes=-1000"), ByteRange::Part(0, 99));
        assert_eq!(of("bytes=50-99999999999999999999999"), ByteRange::Part(50, 99));
    }

    #[test]
    fn a_range_after_the_end_is_unsatisfiable() {
        for header in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(ByteRange::of(Some(header), 100), ByteRange::Unsatisfiable, "{header}");
        }
        for header in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
            assert_eq!(ByteRange::of(Some(header), 0), ByteRange::Unsatisfiable, "{header}");
        }
    }

    #[test]
    fn ignores_other_headers() {
        for header in ["items=0-9", "bytes=9-0", "bytes=a-b", "bytes=-", "bytes=0-9,20-29", "bytes", "bytes=+1-2"] {
            assert_eq!(ByteRange::of(Some(header), 100), ByteRange::Whole, "{header}");
        }
    }
}
