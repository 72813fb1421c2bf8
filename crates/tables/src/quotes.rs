//! Quotes of cells (RFC 4180), followed byte by byte.

/// The position in a record, as far as quotes matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum QuoteState {
    /// At the start of a cell: a quote opens it.
    #[default]
    CellStart,
    /// In a cell without quotes.
    Bare,
    /// Inside quotes.
    Quoted,
    /// After a quote inside quotes: it closes the cell, unless another quote follows.
    Closing,
}

impl QuoteState {
    /// The position after one more byte.
    pub(crate) fn after(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::CellStart | Self::Closing, b'"') => Self::Quoted,
            (Self::Quoted, b'"') => Self::Closing,
            (Self::Quoted, _) => Self::Quoted,
            (_, byte) if byte == delimiter => Self::CellStart,
            (Self::CellStart | Self::Bare | Self::Closing, _) => Self::Bare,
        }
    }
}

/// Whether a record ends inside quotes that are never closed.
pub(crate) fn is_open(record: &[u8], delimiter: u8) -> bool {
    let end = record.iter().fold(QuoteState::default(), |state, byte| state.after(*byte, delimiter));
    end == QuoteState::Quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_quotes_that_are_never_closed() {
        for (record, open) in [
            ("a,\"b", true),
            ("a,\"b\"", false),
            ("a,\"b\"\"", true),
            ("5\" pipe,b", false),
            ("\"a\"\"b\",c", false),
            ("\"a,b\n", true),
            ("", false),
        ] {
            assert_eq!(is_open(record.as_bytes(), b','), open, "{record}");
        }
    }
}
