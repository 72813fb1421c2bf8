//! Entity tags and the preconditions `If-Match` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1).

use std::fmt;

use ring::digest::{SHA256, digest};

const HASH_LENGTH: usize = 16;
const GZIP_SUFFIX: &str = "-gzip";

/// The error for a header that is neither `*` nor a list of entity tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `*` or a list of entity tags such as \"3-0123456789abcdef\"")]
pub struct InvalidTags;

/// The entity tag of a response: `"<version>-<hash>"`. The hash is the first 64 bits of the SHA-256 of the body in
/// hexadecimal. It differs if any byte of the body differs, so the tag is strong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityTag {
    version: i64,
    hash: String,
}

impl EntityTag {
    /// Returns the tag of an object with this version and body.
    pub fn of(version: i64, body: &[u8]) -> Self {
        let hash =
            digest(&SHA256, body).as_ref().iter().take(HASH_LENGTH / 2).map(|byte| format!("{byte:02x}")).collect();
        Self { version, hash }
    }

    /// Parses the output of [`Display`](fmt::Display).
    pub fn parse(text: &str) -> Option<Self> {
        let tag = text.strip_prefix('"')?.strip_suffix('"')?;
        let hash = tag.split_once('-')?.1.to_owned();
        Some(Self { version: version_of(tag)?, hash })
    }

    /// Returns the version of the object.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// Returns the tag of the same response in gzip.
    pub fn gzipped(&self) -> String {
        format!("\"{}-{}{GZIP_SUFFIX}\"", self.version, self.hash)
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}-{}\"", self.version, self.hash)
    }
}

/// `If-None-Match`: the responses that the client already has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfNoneMatch {
    /// `*`: any response.
    Any,
    /// The opaque parts of the tags, without quotes and without `-gzip`.
    Tags(Vec<String>),
}

impl IfNoneMatch {
    /// Reads the header. Several header lines must be joined by commas first.
    ///
    /// # Errors
    /// [`InvalidTags`].
    pub fn parse(header: &str) -> Result<Self, InvalidTags> {
        Ok(if is_any(header) { Self::Any } else { Self::Tags(opaque_tags(header)?) })
    }

    /// Whether the client has the response with this tag: then the status is 304 for GET and HEAD, and 412 for other
    /// methods. Compares the whole tag, weakly (RFC 9110, section 13.1.2).
    pub fn matches(&self, tag: &EntityTag) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => {
                let own = tag.to_string();
                tags.iter().any(|given| *given == own.trim_matches('"'))
            }
        }
    }
}

/// `If-Match`: the versions of the object that the client agrees to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: any version of an existing object.
    Any,
    /// These versions; empty if no tag is from this service.
    Versions(Vec<i64>),
}

impl IfMatch {
    /// Reads the header. Several header lines must be joined by commas first. Only the version of each tag counts, and
    /// weak tags are accepted. This relaxes the strong comparison of RFC 9110, because one version can have several
    /// representations. A bare version is accepted, with or without quotes.
    ///
    /// # Errors
    /// [`InvalidTags`].
    pub fn parse(header: &str) -> Result<Self, InvalidTags> {
        if is_any(header) {
            return Ok(Self::Any);
        }
        let versions = quoted_versions(header);
        Ok(Self::Versions(opaque_tags(&versions)?.iter().filter_map(|tag| version_in(tag)).collect()))
    }

    /// Whether an object of this version may be changed; otherwise the status is 412.
    pub fn allows(&self, version: i64) -> bool {
        match self {
            Self::Any => true,
            Self::Versions(versions) => versions.contains(&version),
        }
    }
}

fn is_any(header: &str) -> bool {
    header.trim_matches([' ', '\t']) == "*"
}

/// Returns the header with quotes around elements that only contain digits.
fn quoted_versions(header: &str) -> String {
    let quoted = header.split(',').map(|element| {
        let digits = element.trim_matches([' ', '\t']);
        let is_version = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_version { format!("\"{digits}\"") } else { element.to_owned() }
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// Returns the version in a tag, or the bare version.
fn version_in(tag: &str) -> Option<i64> {
    let is_plain = !tag.starts_with('0') && tag.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { tag.parse().ok() } else { version_of(tag) }
}

fn version_of(tag: &str) -> Option<i64> {
    let (version, hash) = tag.split_once('-')?;
    let canonical = !version.starts_with(['0', '+', '-']) && hash.len() == HASH_LENGTH;
    let hexadecimal = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if canonical && hexadecimal { version.parse().ok() } else { None }
}

/// Reads `#entity-tag` (RFC 9110, sections 5.6.1.2 and 8.8.3): at least one tag, separated by commas and white space.
/// Empty elements are allowed, and a tag can contain commas.
fn opaque_tags(header: &str) -> Result<Vec<String>, InvalidTags> {
    let mut tags = Vec::new();
    let mut rest = header;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            break;
        }
        let quoted = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"').ok_or(InvalidTags)?;
        let (tag, after) = quoted.split_once('"').ok_or(InvalidTags)?;
        if tag.chars().any(|c| c <= ' ' || c == '\u{7f}') {
            return Err(InvalidTags);
        }
        tags.push(tag.strip_suffix(GZIP_SUFFIX).unwrap_or(tag).to_owned());
        rest = after.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(',') {
            return Err(InvalidTags);
        }
    }
    if tags.is_empty() { Err(InvalidTags) } else { Ok(tags) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_a_tag_from_the_version_and_a_hash_of_the_body() {
        // The SHA-256 of the empty text starts with e3b0c44298fc1c14 (FIPS 180-4).
        assert_eq!(EntityTag::of(3, b"").to_string(), "\"3-e3b0c44298fc1c14\"");
        assert_ne!(EntityTag::of(3, b"a"), EntityTag::of(3, b"b"));
        let tag = EntityTag::of(12, b"a");
        assert_eq!(EntityTag::parse(&tag.to_string()), Some(tag.clone()));
        assert_eq!(EntityTag::parse(&tag.gzipped()), None);
    }

    #[test]
    fn if_none_match_compares_the_whole_tag() {
        let tag = EntityTag::of(3, b"");
        let matches = |header: &str| IfNoneMatch::parse(header).map(|it| it.matches(&tag));
        for header in [
            "*",
            " * ",
            "\"3-e3b0c44298fc1c14\"",
            "W/\"3-e3b0c44298fc1c14\"",
            "\"3-e3b0c44298fc1c14-gzip\"",
            "\"a,b\", ,\t\"3-e3b0c44298fc1c14\"",
        ] {
            assert_eq!(matches(header), Ok(true), "{header}");
        }
        for header in ["\"3-e3b0c44298fc1c15\"", "\"4-e3b0c44298fc1c14\"", "\"\"", "\"*\""] {
            assert_eq!(matches(header), Ok(false), "{header}");
        }
    }

    #[test]
    fn if_match_compares_only_the_version() {
        let allows = |header: &str| IfMatch::parse(header).map(|it| it.allows(3));
        for header in [
            "*",
            "\"3-0000000000000000\"",
            "\"2-0000000000000000\",W/\"3-ffffffffffffffff-gzip\"",
            "\"3\"",
            "W/\"3\"",
            "3",
            "2, 3 ,\"7\"",
        ] {
            assert_eq!(allows(header), Ok(true), "{header}");
        }
        for header in [
            "\"2-0000000000000000\"",
            "\"2\"",
            "03",
            "\"\"",
            "\"03-0000000000000000\"",
            "\"+3-0000000000000000\"",
            "\"3-000000000000000G\"",
        ] {
            assert_eq!(allows(header), Ok(false), "{header}");
        }
    }

    #[test]
    fn rejects_malformed_lists_of_tags() {
        for header in ["", ",", "3a", "\"3", "3\"", "w/\"3\"", "\"a\" \"b\"", "\"a b\"", "\"a\",*", "W/", "'a'"] {
            assert_eq!(IfMatch::parse(header), Err(InvalidTags), "{header}");
            assert_eq!(IfNoneMatch::parse(header), Err(InvalidTags), "{header}");
        }
        // A bare version does not identify the bytes of a response.
        assert_eq!(IfNoneMatch::parse("3"), Err(InvalidTags));
    }
}
