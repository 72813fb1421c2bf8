use base64::engine::general_purpose::STANDARD;

use super::*;

/// The decoded contents of a mail's parts.
fn contents(mail: &str) -> Vec<String> {
    leaf_parts(mail.as_bytes()).iter().map(|part| String::from_utf8_lossy(&part.content()).into_owned()).collect()
}

/// A mail with these parts, each with its headers.
fn mixed(parts: &[&str]) -> String {
    let parts: String = parts.iter().map(|part| format!("--b\r\n{part}\r\n")).collect();
    format!(
        "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=\"b\"\r\n\r\nBefore\r\n{parts}--b--\r\nAfter\r\n"
    )
}

#[test]
fn finds_the_parts_between_the_borders() {
    let inner = "Content-Type: multipart/alternative; boundary=bb\r\n\r\n--bb\r\nContent-Type: text/plain\r\n\r\n\
                 one\r\n--bb\r\nContent-Type: text/html\r\n\r\ntwo\r\n--bb--";
    let mail = mixed(&[inner, "Content-Type: image/png\r\n\r\n--bc\r\nthree\r\n", "\r\nno headers"]);
    assert_eq!(contents(&mail), ["one", "two", "--bc\r\nthree\r\n"]);
    let types: Vec<_> = leaf_parts(mail.as_bytes()).iter().map(|part| part.media_type().unwrap()).collect();
    assert_eq!(types, ["text/plain", "text/html", "image/png"]);
    assert_eq!(contents(&mail.replace("\r\n", "\n")), ["one", "two", "--bc\nthree\n"]);
    assert_eq!(contents("Content-Type: application/pdf\r\n\r\nwhole\r\n"), ["whole\r\n"]);
    assert_eq!(contents("Content-Type: multipart/mixed\r\n\r\n--b\r\n"), ["--b\r\n"], "a multipart without a border");
}

#[test]
fn reads_a_mail_that_ends_early() {
    let mail = mixed(&["Content-Type: application/pdf\r\n\r\ncut"]);
    let end = mail.find("cut").unwrap();
    assert_eq!(contents(mail.get(..end + 2).unwrap()), ["cu"]);
    for length in 0..mail.len() {
        assert!(contents(mail.get(..length).unwrap()).len() <= 1, "{length}");
    }
}

#[test]
fn decodes_contents_also_with_errors() {
    let content = |encoding: &str, text: &str| {
        let head = format!("Content-Type: application/pdf\r\nContent-Transfer-Encoding: {encoding}");
        contents(&format!("{head}\r\n\r\n{text}")).remove(0)
    };
    assert_eq!(content("BASE64 ", "SGVs\r\n bG8h\r\n"), "Hello!");
    assert_eq!(content("base64", "SGVsbG8="), "Hello");
    assert_eq!(content("base64", "S-G*V\0sbG8"), "Hello", "other characters and missing padding");
    assert_eq!(content("base64", "SGVsbG8hS"), "Hello!", "a digit too many");
    assert_eq!(content("base64", "=="), "");
    // The digits are decoded in portions, and lines end anywhere.
    for length in [3_071, 3_072, 3_073, 3_074, 10_000] {
        let text: String = ('a'..='z').cycle().take(length).collect();
        let encoded = STANDARD.encode(&text).replace('m', "m\r\n");
        assert_eq!(content("base64", &encoded), text, "{length}");
    }
    assert_eq!(content("quoted-printable", "a=3Db=\r\nc"), "a=bc");
    assert_eq!(content("quoted-printable", "a=ZZ"), "a=ZZ");
    assert_eq!(content("8bit", "=3D"), "=3D");
    assert_eq!(content("x-unknown", "=3D"), "=3D");
}

#[test]
fn a_part_is_a_file_by_its_type_its_name_or_its_disposition() {
    let is_file = |head: &str| {
        let mail = mixed(&[&format!("{head}\r\n\r\nx")]);
        leaf_parts(mail.as_bytes()).iter().any(LeafPart::is_file)
    };
    for head in [
        "Content-Type: image/png",
        "Content-Type: application/pdf",
        "Content-Type: message/rfc822",
        "Content-Type: text/plain; name=a.txt",
        "Content-Type: text/html\r\nContent-Disposition: Attachment",
        "Content-Disposition: attachment; filename=a",
        "Content-Type: nonsense; name=a",
    ] {
        assert!(is_file(head), "{head}");
    }
    for head in [
        "Content-Type: text/plain",
        "Content-Type: TEXT/html",
        "X-Other: 1",
        "Content-Type: nonsense",
        "Content-Type: multipart/x",
    ] {
        assert!(!is_file(head), "{head}");
    }
    let whole = "Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nHi";
    assert!(!leaf_parts(whole.as_bytes()).iter().any(LeafPart::is_file), "it is the text of the mail");
}

#[test]
fn bounds_the_parts_of_a_hostile_mail() {
    let many = mixed(&["Content-Type: image/png\r\n\r\nx"; 1_000]);
    assert_eq!(leaf_parts(many.as_bytes()).len(), MAX_PARTS - 1, "the mail itself is a part, too");
    let open = |number: usize| format!("Content-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n");
    let nested = |depth: usize| {
        let opened: String = (0..depth).map(open).collect();
        format!("{opened}Content-Type: image/png\r\n\r\ndeep\r\n")
    };
    assert_eq!(contents(&nested(MAX_DEPTH)), ["deep"]);
    assert_eq!(leaf_parts(nested(MAX_DEPTH + 1).as_bytes()).len(), 0);
    assert_eq!(leaf_parts(nested(50_000).as_bytes()).len(), 0);
    let long = format!("Content-Type: image/png\r\nX-Long: {}\r\n\r\nx", "y".repeat(MAX_HEAD));
    let long = mixed(&[long.as_str(); 10]);
    assert!((1..10).contains(&leaf_parts(long.as_bytes()).len()));
}

#[test]
fn a_hostile_mail_is_read_in_one_pass() {
    let marks = "--b \r\n".repeat(100_000) + &"--".repeat(1_000_000);
    let borders = mixed(&["Content-Type: image/png\r\n\r\nx"]).replace("--b--\r\n", &marks);
    assert_eq!(leaf_parts(borders.as_bytes()).len(), 1);
    let stars = format!("Content-Type: a/b; {}\r\n\r\nx", "a*1=b;".repeat(100_000));
    assert_eq!(leaf_parts(stars.as_bytes()).len(), 1);
    assert_eq!(leaf_parts(&[0; 100_000]).len(), 0);
    assert_eq!(leaf_parts(b"").len(), 0);
}
