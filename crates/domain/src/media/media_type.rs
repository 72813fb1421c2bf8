//! The types of files that the server recognizes by their content.

use crate::words::words;

/// Number of bytes at the start of a file that [`MediaType::sniff`] reads.
pub const SNIFFED: usize = 512;

words! {
    plain
    /// The type of a file. Types that a browser could run, such as HTML and SVG, are [`MediaType::OctetStream`].
    MediaType {
        /// `image/png`.
        Png = "image/png",
        /// `image/jpeg`.
        Jpeg = "image/jpeg",
        /// `image/gif`.
        Gif = "image/gif",
        /// `image/webp`.
        Webp = "image/webp",
        /// `image/heic`.
        Heic = "image/heic",
        /// `audio/mpeg`.
        Mp3 = "audio/mpeg",
        /// `audio/aac`.
        Aac = "audio/aac",
        /// `audio/amr`.
        Amr = "audio/amr",
        /// `audio/ogg`.
        Ogg = "audio/ogg",
        /// `audio/wav`.
        Wav = "audio/wav",
        /// `audio/mp4`.
        M4a = "audio/mp4",
        /// `video/mp4`.
        Mp4 = "video/mp4",
        /// `video/quicktime`.
        QuickTime = "video/quicktime",
        /// `video/3gpp`.
        ThreeGp = "video/3gpp",
        /// `video/webm`.
        Webm = "video/webm",
        /// `application/pdf`.
        Pdf = "application/pdf",
        /// `application/zip`.
        Zip = "application/zip",
        /// `application/vnd.openxmlformats-officedocument.wordprocessingml.document`.
        Docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        /// `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`.
        Xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        /// `application/vnd.openxmlformats-officedocument.presentationml.presentation`.
        Pptx = "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        /// `application/octet-stream`.
        OctetStream = "application/octet-stream",
    }
}

impl MediaType {
    /// Returns the type of a file by its first bytes, at most [`SNIFFED`]. `name` distinguishes only between types with
    /// the same format: office documents are ZIP archives. A declared type is never used, because a client could
    /// declare a page as a picture.
    pub fn sniff(head: &[u8], name: &str) -> Self {
        let known = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature));
        if let Some((_, media_type)) = known {
            *media_type
        } else if head.starts_with(b"RIFF") {
            riff(head)
        } else if head.starts_with(b"\x1a\x45\xdf\xa3") {
            matroska(head)
        } else if head.starts_with(b"PK\x03\x04") {
            archive(name)
        } else if head.get(4..8) == Some(b"ftyp".as_slice()) {
            iso_media(head)
        } else {
            frame(head)
        }
    }
}

/// The first bytes of formats that have one type.
const SIGNATURES: &[(&[u8], MediaType)] = &[
    (b"\x89PNG\r\n\x1a\n", MediaType::Png),
    (b"\xff\xd8\xff", MediaType::Jpeg),
    (b"GIF87a", MediaType::Gif),
    (b"GIF89a", MediaType::Gif),
    (b"ID3", MediaType::Mp3),
    (b"#!AMR", MediaType::Amr),
    (b"OggS", MediaType::Ogg),
    (b"%PDF-", MediaType::Pdf),
];

/// Returns the type of a RIFF file by its form.
fn riff(head: &[u8]) -> MediaType {
    match head.get(8..12) {
        Some(b"WEBP") => MediaType::Webp,
        Some(b"WAVE") => MediaType::Wav,
        Some(_) | None => MediaType::OctetStream,
    }
}

/// Returns the type of a Matroska file. Only its subset WebM is a type of its own.
fn matroska(head: &[u8]) -> MediaType {
    let is_webm = head.windows(4).any(|window| window == b"webm");
    if is_webm { MediaType::Webm } else { MediaType::OctetStream }
}

/// Returns the type of a ZIP archive by the extension of its name.
fn archive(name: &str) -> MediaType {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("docx") => MediaType::Docx,
        Some("xlsx") => MediaType::Xlsx,
        Some("pptx") => MediaType::Pptx,
        Some(_) | None => MediaType::Zip,
    }
}

/// Returns the type of a file in the ISO base media format by its major brand (ISO/IEC 14496-12, section 4.3).
fn iso_media(head: &[u8]) -> MediaType {
    match head.get(8..12) {
        Some(b"M4A " | b"M4B ") => MediaType::M4a,
        Some(b"qt  ") => MediaType::QuickTime,
        Some(b"heic" | b"heix" | b"mif1") => MediaType::Heic,
        Some(brand) if brand.starts_with(b"3gp") => MediaType::ThreeGp,
        Some(b"isom" | b"iso2" | b"iso4" | b"iso5" | b"iso6" | b"mp41" | b"mp42" | b"avc1" | b"dash" | b"M4V ") => {
            MediaType::Mp4
        }
        Some(_) | None => MediaType::OctetStream,
    }
}

/// Returns the type of an audio file without a file header, by the header of its first frame.
fn frame(head: &[u8]) -> MediaType {
    match head {
        // ADTS: a sync word of twelve bits, then layer 0.
        [0xff, 0xf0 | 0xf1 | 0xf8 | 0xf9, ..] => MediaType::Aac,
        // MPEG 1 and 2, layer III.
        [0xff, 0xf2 | 0xf3 | 0xfa | 0xfb, ..] => MediaType::Mp3,
        _ => MediaType::OctetStream,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(brand: &[u8]) -> Vec<u8> {
        [b"\0\0\0\x20ftyp".as_slice(), brand, b"\0\0\0\0".as_slice()].concat()
    }

    #[test]
    fn recognizes_types_by_their_first_bytes() {
        let cases: Vec<(Vec<u8>, &str)> = vec![
            (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec(), "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), "image/jpeg"),
            (b"GIF89a\x01\0".to_vec(), "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), "image/webp"),
            (b"RIFF\x24\0\0\0WAVEfmt ".to_vec(), "audio/wav"),
            (b"RIFF\x24\0\0\0AVI LIST".to_vec(), "application/octet-stream"),
            (b"ID3\x03\0".to_vec(), "audio/mpeg"),
            (b"\xff\xfb\x90\0".to_vec(), "audio/mpeg"),
            (b"\xff\xf1\x50\x80".to_vec(), "audio/aac"),
            (b"#!AMR\n".to_vec(), "audio/amr"),
            (b"OggS\0\x02".to_vec(), "audio/ogg"),
            (b"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm".to_vec(), "video/webm"),
            (b"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska".to_vec(), "application/octet-stream"),
            (iso(b"isom"), "video/mp4"),
            (iso(b"M4A "), "audio/mp4"),
            (iso(b"qt  "), "video/quicktime"),
            (iso(b"3gp5"), "video/3gpp"),
            (iso(b"heic"), "image/heic"),
            (iso(b"evil"), "application/octet-stream"),
            (b"%PDF-1.7\n".to_vec(), "application/pdf"),
        ];
        for (head, expected) in cases {
            assert_eq!(MediaType::sniff(&head, "a.png").as_str(), expected, "{head:?}");
        }
    }

    #[test]
    fn distinguishes_office_documents_by_name() {
        let of = |name: &str| MediaType::sniff(b"PK\x03\x04\x14\0", name);
        assert_eq!([of("Offer.DOCX"), of("a.xlsx"), of("a.pptx")], [MediaType::Docx, MediaType::Xlsx, MediaType::Pptx]);
        assert_eq!([of("a.zip"), of("docx"), of("a.html")], [MediaType::Zip; 3]);
    }

    #[test]
    fn treats_pages_scripts_and_unknown_content_as_bytes() {
        for text in [
            "<!DOCTYPE html><script>alert(1)</script>",
            "<svg xmlns=\"http://www.w3.org/2000/svg\">",
            "<?xml version=\"1.0\"?>",
            "alert(1)",
            "Hello",
            "",
        ] {
            assert_eq!(MediaType::sniff(text.as_bytes(), "a.png"), MediaType::OctetStream, "{text}");
        }
    }

    #[test]
    fn every_type_reads_back() {
        for it in MediaType::ALL {
            assert_eq!(MediaType::parse(it.as_str()), Some(*it));
        }
        assert_eq!(MediaType::parse("text/html"), None);
    }
}
