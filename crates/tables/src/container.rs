//! Files that are not text: workbooks and other containers that were sent as CSV.

/// A kind of file that cannot be read as a table of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// A ZIP archive: Excel (`.xlsx`), LibreOffice (`.ods`) and Numbers write their workbooks so.
    ZipWorkbook,
    /// An OLE file: Excel up to 2003 (`.xls`), or a workbook with a password.
    OleWorkbook,
    /// A gzip file.
    Gzip,
    /// A PDF document.
    Pdf,
    /// A web page or XML document: some programs write such files with the extension `.xls`.
    Markup,
}

impl Container {
    /// Recognises a container by its first bytes.
    pub fn of(first: &[u8]) -> Option<Self> {
        let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first).trim_ascii_start();
        let is_markup = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        match first {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::ZipWorkbook),
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, ..] => Some(Self::OleWorkbook),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [b'%', b'P', b'D', b'F', b'-', ..] => Some(Self::Pdf),
            _ if [&b"<html"[..], b"<!doctype", b"<?xml", b"<table"].into_iter().any(is_markup) => Some(Self::Markup),
            _ => None,
        }
    }

    /// The kind in words, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::ZipWorkbook => "an Excel, LibreOffice or Numbers workbook (ZIP)",
            Self::OleWorkbook => "an Excel workbook (OLE)",
            Self::Gzip => "a gzip file",
            Self::Pdf => "a PDF document",
            Self::Markup => "a web page or XML document",
        }
    }

    /// The remedy, as an imperative sentence.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::ZipWorkbook | Self::OleWorkbook | Self::Markup => {
                "Open it in the spreadsheet program and save it as `CSV UTF-8 (comma delimited)`."
            }
            Self::Gzip => "Unpack it and send the CSV file inside.",
            Self::Pdf => "Send the table as a CSV file.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_workbooks_by_their_first_bytes() {
        assert_eq!(Container::of(b"PK\x03\x04\x14\x00"), Some(Container::ZipWorkbook));
        assert_eq!(Container::of(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"), Some(Container::OleWorkbook));
        assert_eq!(Container::of(b"\x1F\x8B\x08"), Some(Container::Gzip));
        assert_eq!(Container::of(b"%PDF-1.7"), Some(Container::Pdf));
        assert_eq!(Container::of(b"\xEF\xBB\xBF\r\n<HTML xmlns"), Some(Container::Markup));
        for text in [&b"PK;Name\n"[..], b"email\n", b"", b"<3,x\n"] {
            assert_eq!(Container::of(text), None);
        }
    }
}
