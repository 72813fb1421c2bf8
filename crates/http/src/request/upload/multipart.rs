//! A body of `multipart/form-data` (RFC 7578) with one part, `file`, read as it arrives.

use super::parameter::parameter;

/// The name of the part.
const FIELD: &str = "file";
/// Maximum size of the headers of the part, and of the text before it.
const MAX_HEAD: usize = 16 * 1024;
/// Maximum number of bytes after the last delimiter. Their length is not that of the file, so nothing else limits it.
const MAX_EPILOGUE: usize = 16 * 1024;
/// Maximum length of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// The error of a body that is not such a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum FormError {
    /// The syntax is wrong, or the headers are too long.
    #[error("the body is not valid multipart/form-data")]
    Malformed,
    /// The first part has another name, or is a text.
    #[error("the first part must be a file with the name `file`")]
    NoFile,
    /// There is another part.
    #[error("the form must have one part only")]
    SecondPart,
}

/// The position in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the end of the headers of the first part.
    Head,
    /// In the content of the part.
    Content,
    /// After the delimiter that ends the part.
    Tail,
    /// After the last delimiter.
    End,
}

/// Reads a form.
pub(super) struct FormReader {
    /// `\r\n--` and the boundary, between the parts.
    delimiter: Vec<u8>,
    place: Place,
    /// Bytes that are not interpreted yet.
    pending: Vec<u8>,
    /// Number of bytes after the last delimiter.
    epilogue: usize,
    file_name: Option<String>,
}

impl FormReader {
    /// Starts a body with this `Content-Type`; `None` if the header has no valid boundary.
    pub(super) fn new(content_type: &str) -> Option<Self> {
        let boundary = parameter(content_type, "boundary")?;
        let is_valid =
            (1..=MAX_BOUNDARY).contains(&boundary.len()) && boundary.bytes().all(|it| (32..127).contains(&it));
        // The first delimiter may begin the body without a line break, so one is added before it.
        let (place, pending) = (Place::Head, b"\r\n".to_vec());
        let delimiter = format!("\r\n--{boundary}").into_bytes();
        is_valid.then_some(Self { delimiter, place, pending, epilogue: 0, file_name: None })
    }

    /// Returns the name of the file, after its headers were read.
    pub(super) fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// Adds received bytes. Returns the bytes of the file among them.
    ///
    /// # Errors
    /// [`FormError`].
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<u8>, FormError> {
        self.pending.extend_from_slice(bytes);
        let mut content = Vec::new();
        loop {
            let before = self.place;
            match before {
                Place::Head => self.read_head()?,
                Place::Content => self.read_content(&mut content),
                Place::Tail => self.read_tail()?,
                Place::End => self.skip_epilogue()?,
            }
            if self.place == before {
                return Ok(content);
            }
        }
    }

    /// Checks that the form is complete.
    ///
    /// # Errors
    /// [`FormError::Malformed`].
    pub(super) fn finish(&self) -> Result<(), FormError> {
        match self.place {
            Place::End => Ok(()),
            Place::Head | Place::Content | Place::Tail => Err(FormError::Malformed),
        }
    }

    fn read_head(&mut self) -> Result<(), FormError> {
        let incomplete = if self.pending.len() > MAX_HEAD { Err(FormError::Malformed) } else { Ok(()) };
        let Some(first) = find(&self.pending, &self.delimiter) else { return incomplete };
        let begin = first + self.delimiter.len();
        let Some(length) = self.pending.get(begin..).and_then(|rest| find(rest, b"\r\n\r\n")) else {
            return incomplete;
        };
        let head = self.pending.get(begin..begin + length).unwrap_or_default();
        let head = str::from_utf8(head).map_err(|_| FormError::Malformed)?;
        self.file_name = Some(file_name(head)?);
        self.pending.drain(..begin + length + 4);
        self.place = Place::Content;
        Ok(())
    }

    fn read_content(&mut self, content: &mut Vec<u8>) {
        let Some(end) = find(&self.pending, &self.delimiter) else {
            // The last bytes may be the beginning of a delimiter.
            let sure = self.pending.len().saturating_sub(self.delimiter.len());
            content.extend(self.pending.drain(..sure));
            return;
        };
        content.extend(self.pending.drain(..end));
        self.pending.drain(..self.delimiter.len());
        self.place = Place::Tail;
    }

    fn read_tail(&mut self) -> Result<(), FormError> {
        match self.pending.get(..2) {
            None => Ok(()),
            Some(b"--") => {
                self.place = Place::End;
                Ok(())
            }
            Some(b"\r\n") => Err(FormError::SecondPart),
            Some(_) => Err(FormError::Malformed),
        }
    }

    fn skip_epilogue(&mut self) -> Result<(), FormError> {
        self.epilogue = self.epilogue.saturating_add(self.pending.len());
        self.pending.clear();
        if self.epilogue > MAX_EPILOGUE { Err(FormError::Malformed) } else { Ok(()) }
    }
}

/// Returns the name of the file in the headers of a part.
fn file_name(head: &str) -> Result<String, FormError> {
    let value = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then(|| value.trim().to_owned())
    };
    let disposition = head.split("\r\n").find_map(value).ok_or(FormError::Malformed)?;
    match (parameter(&disposition, "name"), parameter(&disposition, "filename")) {
        (Some(name), Some(file)) if name == FIELD => Ok(file),
        (Some(_) | None, Some(_) | None) => Err(FormError::NoFile),
    }
}

fn find(bytes: &[u8], sought: &[u8]) -> Option<usize> {
    bytes.windows(sought.len()).position(|window| window == sought)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"a b\"";

    fn form(content: &[u8]) -> Vec<u8> {
        let head = b"--a b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Cat \\\"1\\\".png\"\r\n\
            Content-Type: image/png\r\n\r\n";
        [head.as_slice(), content, b"\r\n--a b--\r\n"].concat()
    }

    fn read(body: &[u8], chunk: usize) -> Result<(Vec<u8>, Option<String>), FormError> {
        let mut reader = FormReader::new(TYPE).unwrap();
        let mut content = Vec::new();
        for chunk in body.chunks(chunk) {
            content.extend(reader.feed(chunk)?);
        }
        reader.finish()?;
        Ok((content, reader.file_name().map(ToOwned::to_owned)))
    }

    #[test]
    fn reads_a_file_in_chunks_of_any_size() {
        let long = [b"\r\n--a".repeat(50), b"\r\n--a \r\n".to_vec(), vec![0; 300]].concat();
        for content in [b"".as_slice(), b"x", b"\r\n", b"--a b", b"\r\n--a", long.as_slice()] {
            for chunk in [1, 2, 3, 7, 64, 10_000] {
                let expected = (content.to_vec(), Some("Cat \"1\".png".to_owned()));
                assert_eq!(read(&form(content), chunk), Ok(expected), "{content:?} by {chunk}");
            }
        }
    }

    #[test]
    fn holds_little_of_a_long_file() {
        let mut reader = FormReader::new(TYPE).unwrap();
        let body = form(&[7; 1_000_000]);
        let mut length = 0;
        for chunk in body.chunks(4_096) {
            length += reader.feed(chunk).unwrap().len();
            assert!(reader.pending.len() < 5_000);
        }
        assert_eq!(length, 1_000_000);
    }

    #[test]
    fn a_form_ends_soon_after_its_last_delimiter() {
        let with = |length: usize| read(&[form(b"x"), vec![b'x'; length]].concat(), 1_000).map(|(content, _)| content);
        assert_eq!(with(10_000), Ok(b"x".to_vec()));
        assert_eq!(with(20_000), Err(FormError::Malformed));
    }

    #[test]
    fn rejects_other_forms() {
        let replaced = |from: &str, to: &str| {
            let text = String::from_utf8(form(b"x")).unwrap().replace(from, to);
            read(text.as_bytes(), 64)
        };
        assert_eq!(replaced("name=\"file\"", "name=\"other\""), Err(FormError::NoFile));
        assert_eq!(replaced("; filename=\"Cat \\\"1\\\".png\"", ""), Err(FormError::NoFile));
        assert_eq!(replaced("Content-Disposition", "Content-Other"), Err(FormError::Malformed));
        assert_eq!(replaced("--a b--", "--a b"), Err(FormError::SecondPart));
        assert_eq!(replaced("--a b--", "--a bc"), Err(FormError::Malformed));
        assert_eq!(replaced("\r\n--a b--", ""), Err(FormError::Malformed));
        assert_eq!(read(&[b'x'; 20_000], 1_000), Err(FormError::Malformed));
        assert_eq!(read(b"", 1), Err(FormError::Malformed));
    }

    #[test]
    fn needs_a_boundary() {
        for kind in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; charset=utf-8"] {
            assert!(FormReader::new(kind).is_none(), "{kind}");
        }
        assert!(FormReader::new(&format!("multipart/form-data; boundary={}", "x".repeat(71))).is_none());
    }
}
