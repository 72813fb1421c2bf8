use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

/// A mail with a text and these parts, each with its headers.
fn mixed(parts: &[String]) -> String {
    let parts: String = parts.iter().map(|part| format!("--b\r\n{part}\r\n")).collect();
    format!(
        "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n\
         See the bill.\r\n{parts}--b--\r\n"
    )
}

fn file(head: &str) -> String {
    format!("Content-Type: application/pdf\r\nContent-Disposition: attachment; {head}\r\n\r\nx")
}

fn names(mail: &str) -> Vec<Option<String>> {
    mail_files(mail.as_bytes()).files.into_iter().map(|file| file.name).collect()
}

/// The name of the only file of a mail with this part.
fn name_of(part: &str) -> Option<String> {
    let found = names(&mixed(&[part.to_owned()]));
    assert_eq!(found.len(), 1, "{part}");
    found.into_iter().flatten().next()
}

#[test]
fn reads_attachments_and_pictures_in_the_text() {
    let bytes: Vec<u8> = (0..=255).collect();
    let picture = format!(
        "Content-Type: image/png\r\nContent-ID: <1>\r\nContent-Transfer-Encoding: base64\r\n\r\n{}",
        STANDARD.encode(&bytes)
    );
    let related = format!(
        "Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n\
         <img src=\"cid:1\">\r\n--r\r\n{picture}\r\n--r--"
    );
    let found = mail_files(mixed(&[related, file("filename=bill.pdf")]).as_bytes());
    let expected = [(None, bytes), (Some("bill.pdf".to_owned()), b"x".to_vec())];
    assert_eq!(found.files.into_iter().map(|it| (it.name, it.bytes)).collect::<Vec<_>>(), expected);
    assert!(found.omitted.is_empty());
}

#[test]
fn a_mail_can_be_a_file() {
    let whole =
        "From: a@b.example\r\nContent-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\neA==";
    let found = mail_files(whole.as_bytes()).files;
    assert_eq!(found, [InboundFile { name: Some("a.png".to_owned()), bytes: b"x".to_vec() }]);
    assert!(mail_files(b"From: a@b.example\r\n\r\nHello").files.is_empty());
    let inside = "Content-Type: message/rfc822\r\n\r\nFrom: b@b.example\r\n\r\nInside";
    assert_eq!(name_of(inside).as_deref(), Some("message.eml"));
    let found = mail_files(mixed(&[inside.to_owned()]).as_bytes()).files;
    assert_eq!(found[0].bytes, b"From: b@b.example\r\n\r\nInside");
}

#[test]
fn names_have_no_path_and_no_hidden_characters() {
    for (head, expected) in [
        ("filename=\"bill.pdf\"", "bill.pdf"),
        ("filename=\"../../a\u{202e}b.pdf\"", "ab.pdf"),
        ("filename=\"C:\\\\temp\\\\a.pdf\"", "a.pdf"),
        ("filename*=utf-8''Z%C3%BCrich.pdf", "Zürich.pdf"),
        ("filename*=utf-8''..%2F..%2Fa%0D%0AX%3A%20y", "aX: y"),
        ("filename*=utf-8''a%00b%E2%81%A6.pdf", "ab.pdf"),
        ("filename*0=\"long-\"; filename*1=\"name.pdf\"", "long-name.pdf"),
    ] {
        assert_eq!(name_of(&file(head)).as_deref(), Some(expected), "{head}");
    }
    for head in ["filename=\"\"", "filename=\"../\"", "filename=\" \"", "size=1"] {
        assert_eq!(name_of(&file(head)), None, "{head}");
    }
    let long = name_of(&file(&format!("filename=\"{}\"", "ä".repeat(5_000))));
    assert_eq!(long.map(|name| name.chars().count()), Some(120));
}

#[test]
fn names_files_of_common_mail_programs() {
    for (part, expected) in [
        ("Content-Type: image/png; name=\"logo.png\"\r\nContent-ID: <a>", Some("logo.png")),
        ("Content-Type: image/jpeg\r\nContent-Disposition: inline; filename=a.jpg\r\nContent-ID: <z>", Some("a.jpg")),
        (
            "Content-Type: application/ms-tnef\r\nContent-Disposition: attachment; filename=winmail.dat",
            Some("winmail.dat"),
        ),
        ("Content-Type: text/calendar; name=invite.ics", Some("invite.ics")),
        ("Content-Type: application/pdf", None),
    ] {
        assert_eq!(name_of(&format!("{part}\r\n\r\nx")).as_deref(), expected, "{part}");
    }
}

#[test]
fn names_files_beyond_the_limits() {
    let parts: Vec<String> = (0..25).map(|number| file(&format!("filename={number}.pdf"))).collect();
    let found = mail_files(mixed(&parts).as_bytes());
    assert_eq!(found.files.len(), MAX_ATTACHMENTS);
    let others: Vec<String> = (10..20).map(|number| format!("{number}.pdf")).collect();
    assert_eq!(found.omitted, others);
    let large = "x".repeat(MAX_BYTES - 1);
    let with = |head: &str, text: &str| format!("{head}\r\n\r\n{text}");
    let parts = [
        with("Content-Type: image/png; name=a.png", &large),
        with("Content-Type: image/png", "xx"),
        with("Content-Type: image/gif; name=c.gif", "x"),
    ];
    let found = mail_files(mixed(&parts).as_bytes());
    assert_eq!(found.files.iter().map(|it| it.bytes.len()).collect::<Vec<_>>(), [MAX_BYTES - 1, 1]);
    assert_eq!(found.omitted, ["image/png"]);
}

#[test]
fn an_empty_file_is_a_file() {
    let empty = mail_files(mixed(&["Content-Type: application/pdf; name=a.pdf\r\n\r\n".to_owned()]).as_bytes());
    assert_eq!(empty.files, [InboundFile { name: Some("a.pdf".to_owned()), bytes: Vec::new() }]);
    let zeros = mail_files(mixed(&["Content-Type: application/pdf\r\n\r\n\0\0\0".to_owned()]).as_bytes());
    assert_eq!(zeros.files[0].bytes, [0, 0, 0]);
}
