//! `multipart/form-data` as browsers write it (RFC 7578, WHATWG HTML): file names in UTF-8, and no `filename*`.

use std::fmt::Write;

use bytes::Bytes;
use futures::{StreamExt, stream};
use reqwest::header::HeaderValue;
use ring::rand::{SecureRandom, SystemRandom};

use crate::body::{Body, Content};

/// A form of fields and files.
#[derive(Debug)]
pub struct Multipart {
    boundary: String,
    parts: Vec<(Bytes, Body)>,
}

/// The form cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MultipartError {
    /// The operating system returned no random bytes.
    #[error("no random boundary could be made")]
    NoBoundary,
    /// The media type contains a line break or another control character.
    #[error("the media type of a file is not valid")]
    InvalidMediaType,
}

impl Multipart {
    /// An empty form. Its boundary is random: no content can end its part early.
    ///
    /// # Errors
    /// [`MultipartError::NoBoundary`].
    pub fn new() -> Result<Self, MultipartError> {
        let mut random = [0_u8; 16];
        SystemRandom::new().fill(&mut random).map_err(|_| MultipartError::NoBoundary)?;
        let mut boundary = String::from("tidings-");
        for byte in random {
            let _ = write!(boundary, "{byte:02x}");
        }
        Ok(Self { boundary, parts: Vec::new() })
    }

    /// Adds a text field.
    #[must_use]
    pub fn text(self, name: &str, value: impl Into<String>) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{}\"\r\n", escape(name));
        let value: String = value.into();
        self.part(&head, Bytes::from(value).into())
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`MultipartError::InvalidMediaType`].
    pub fn file(self, name: &str, file_name: &str, media_type: &str, body: Body) -> Result<Self, MultipartError> {
        if !media_type.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return Err(MultipartError::InvalidMediaType);
        }
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"; filename=\"{}\"\r\nContent-Type: {media_type}\r\n",
            escape(name),
            escape(file_name)
        );
        Ok(self.part(&head, body))
    }

    fn part(mut self, head: &str, body: Body) -> Self {
        let head = format!("--{}\r\n{head}\r\n", self.boundary);
        self.parts.push((Bytes::from(head), body));
        self
    }

    /// The value of `Content-Type`, and the body. Its length is known if the lengths of all files are.
    pub fn into_body(self) -> (HeaderValue, Body) {
        let last = Bytes::from(format!("--{}--\r\n", self.boundary));
        let media_type = HeaderValue::from_str(&format!("multipart/form-data; boundary={}", self.boundary));
        // The boundary consists of ASCII letters and digits.
        let media_type = media_type.unwrap_or_else(|_| HeaderValue::from_static("multipart/form-data"));
        let mut length = u64::try_from(last.len()).ok();
        for (head, body) in &self.parts {
            let part = u64::try_from(head.len()).ok().zip(body.length());
            let part = part.and_then(|(head, body)| head.checked_add(body)?.checked_add(2));
            length = length.zip(part).and_then(|(length, part)| length.checked_add(part));
        }
        let parts = stream::iter(self.parts).flat_map(|(head, body)| {
            let (head, end) = (Body::from(head), Body::from(Bytes::from_static(b"\r\n")));
            head.into_chunks().chain(body.into_chunks()).chain(end.into_chunks())
        });
        let chunks = parts.chain(Body::from(last).into_chunks()).boxed();
        (media_type, Body(Content::Stream { chunks, length }))
    }
}

/// A name in quotes (WHATWG HTML, "multipart/form-data encoding algorithm").
fn escape(name: &str) -> String {
    name.replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22")
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;

    use super::*;

    async fn written(form: Multipart) -> (String, String, Option<u64>) {
        let (media_type, body) = form.into_body();
        let length = body.length();
        let bytes: Vec<Bytes> = body.into_chunks().try_collect().await.unwrap();
        (media_type.to_str().unwrap().to_owned(), String::from_utf8(bytes.concat()).unwrap(), length)
    }

    #[tokio::test]
    async fn writes_fields_and_files_with_their_length() {
        let file = Body::sized(stream::iter([Ok(Bytes::from_static(b"one,")), Ok(Bytes::from_static(b"two"))]), 7);
        let form = Multipart::new().unwrap().text("chat_id", "42");
        let form = form.file("document", "Übersicht.csv", "text/csv", file).unwrap();
        let (media_type, text, length) = written(form).await;
        let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n42\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"document\"; filename=\"Übersicht.csv\"\r\n\
             Content-Type: text/csv\r\n\r\none,two\r\n--{boundary}--\r\n"
        );
        assert_eq!(text, expected);
        assert_eq!(length, Some(text.len() as u64));
    }

    #[tokio::test]
    async fn escapes_names_that_would_end_their_header() {
        let form = Multipart::new().unwrap();
        let form = form.file("f\"", "a\"; x=\"b\r\nX-Forged: 1\r\n\r\n", "text/plain", Body::empty()).unwrap();
        let (_, text, _) = written(form).await;
        assert!(text.contains("name=\"f%22\"; filename=\"a%22; x=%22b%0D%0AX-Forged: 1%0D%0A%0D%0A\"\r\n"), "{text}");
    }

    #[tokio::test]
    async fn has_no_length_if_a_file_has_none() {
        let form = Multipart::new().unwrap();
        let form = form.file("f", "f", "text/plain", Body::stream(stream::empty())).unwrap();
        assert_eq!(written(form).await.2, None);
    }

    #[test]
    fn rejects_a_media_type_with_a_line_break() {
        let form = Multipart::new().unwrap().file("f", "f", "text/plain\r\nX-Forged: 1", Body::empty());
        assert_eq!(form.unwrap_err(), MultipartError::InvalidMediaType);
    }

    #[test]
    fn uses_a_new_boundary_for_each_form() {
        assert_ne!(Multipart::new().unwrap().boundary, Multipart::new().unwrap().boundary);
    }
}
