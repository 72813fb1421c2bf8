use mail_parser::MessageParser;

use super::*;

fn text_of(raw: &str) -> String {
    text(&MessageParser::default().parse(raw).unwrap())
}

fn plain(body: &str) -> String {
    text_of(&format!("From: ada@example.com\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}"))
}

#[test]
fn removes_quotes_of_mail_programs() {
    for (body, expected) in [
        (
            "Yes, please.\r\n\r\nOn Tue, 1 Dec 2026 at 10:15 Shop <a@shop.example> wrote:\r\n> Tea?\r\n>\r\n> Bye",
            "Yes, please.",
        ),
        ("Yes.\r\n\r\nOn Tue, 1 Dec 2026 at 10:15, The Shop\r\n<hello@shop.example> wrote:\r\n\r\n> Tea?", "Yes."),
        ("Ja.\r\n\r\nAm 01.12.26 um 10:15 schrieb Shop:\r\n> Tee?", "Ja."),
        ("Oui.\r\n\r\nLe 1 déc. 2026 à 10:15, Shop a écrit :\r\n> Du thé ?", "Oui."),
        ("Sí.\r\n\r\nEl 1 dic 2026, Shop escribió:\r\n> ¿Té?", "Sí."),
        ("Yes.\r\n\r\n-----Original Message-----\r\nFrom: Shop\r\nSubject: Tea", "Yes."),
        ("Yes.\r\n________________________________\r\nVon: Shop\r\nTee?", "Yes."),
        ("Yes.\r\n\r\nFrom: Shop <a@shop.example>\r\nSent: Monday\r\nTo: Ada\r\nSubject: Tea\r\n\r\nTea?", "Yes."),
        ("Ja.\r\n\r\n*Von:* Shop\r\n*Gesendet:* Montag\r\n\r\nTee?", "Ja."),
        ("> Tea?\r\nYes.\r\n> Cake?\r\nNo.", "Yes.\nNo."),
    ] {
        assert_eq!(plain(body), expected, "{body}");
    }
}

#[test]
fn keeps_text_that_only_looks_like_a_quote() {
    for body in ["She wrote:\nI like tea.", "From: Berlin\nTo: Hamburg", "My order 2026:\n- tea", "a > b"] {
        assert_eq!(plain(body), body);
    }
    assert_eq!(plain("> only a quote"), "> only a quote", "a mail of quotes only keeps them");
}

#[test]
fn removes_a_short_signature() {
    assert_eq!(plain("Yes.\r\n\r\n-- \r\nAda King\r\nLondon"), "Yes.");
    let long = format!("Yes.\n--\n{}", "line\n".repeat(30));
    assert!(plain(&long).ends_with("line"));
}

#[test]
fn joins_flowed_lines() {
    let flowed =
        |body: &str| text_of(&format!("From: a@b.example\r\nContent-Type: text/plain; format=flowed\r\n\r\n{body}"));
    assert_eq!(
        flowed("One long \r\nline.\r\nTwo\r\n From here\r\n> quoted \r\n> too"),
        "One long line.\nTwo\nFrom here"
    );
    // Apple Mail writes a space of the text before the one that continues the line.
    let raw = "From: a@b.example\r\nContent-Type: text/plain; format=flowed; delsp=yes\r\n\r\n\
               One long  \r\nli \r\nne.\r\n-- \r\nAda";
    assert_eq!(text_of(raw), "One long line.");
}

#[test]
fn reads_charsets_and_encodings() {
    for (head, body, expected) in [
        ("text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable", "Z=FCrich", "Zürich"),
        ("text/plain; charset=windows-1252\r\nContent-Transfer-Encoding: base64", "gCA1", "€ 5"),
        ("text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64", "WsO8cmljaA==", "Zürich"),
        ("text/plain; charset=iso-2022-jp", "\u{1b}$B$3$s\u{1b}(B", "こん"),
        ("text/plain; charset=unknown", "Hi", "Hi"),
        // A text in windows-1252 that is labelled as UTF-8.
        ("text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable", "Z=FCrich", "Z\u{fffd}rich"),
    ] {
        let raw = format!("From: a@b.example\r\nContent-Type: {head}\r\n\r\n{body}");
        assert_eq!(text_of(&raw), expected, "{head}");
    }
}

#[test]
fn prefers_plain_text_and_converts_html() {
    let alternative = "From: a@b.example\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\
        Content-Type: text/plain\r\n\r\nPlain\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>HTML</p>\r\n--b--\r\n";
    assert_eq!(text_of(alternative), "Plain");
    let html = "From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>Hi</p><script>evil()</script><p>Ada</p>";
    assert_eq!(text_of(html), "Hi\nAda");
    let tracked = "From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>Hi</p><style>p {}</style>\
        <img src=\"https://t.example/p.gif\" width=1 height=1>";
    assert_eq!(text_of(tracked), "Hi");
}

#[test]
fn reads_the_first_texts_of_many_and_of_nested_parts() {
    let parts: String = (0..500).map(|number| format!("--b\r\nContent-Type: text/plain\r\n\r\n{number}\r\n")).collect();
    let many = format!("From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n{parts}--b--\r\n");
    assert_eq!(text_of(&many), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9");
    let open = |number: usize| format!("Content-Type: multipart/mixed; boundary=b{number}\r\n\r\n--b{number}\r\n");
    let close = |number: usize| format!("--b{number}--\r\n");
    let (opened, closed): (String, String) = ((0..100).map(open).collect(), (0..100).rev().map(close).collect());
    let deep = format!("From: a@b.example\r\n{opened}Content-Type: text/plain\r\n\r\ndeep\r\n{closed}");
    assert_eq!(text_of(&deep), "deep");
}

#[test]
fn reads_texts_with_rare_and_incomplete_content_types() {
    let read = |head: &str| text_of(&format!("From: a@b.example\r\nContent-Type: {head}\r\n\r\nHello\r\nAda\r\n"));
    for head in [
        "",
        "text",
        "text; charset=us-ascii",
        "text/",
        "text/markdown; charset=utf-8",
        "nonsense",
        "multipart/alternative;",
        "text/plain\r\nContent-Disposition: attachment",
    ] {
        assert_eq!(read(head), "Hello\nAda", "{head}");
    }
    for head in ["text/calendar", "application/pdf", "image/png", "text/markdown; name=a.md"] {
        assert_eq!(read(head), "", "{head}");
    }
}
