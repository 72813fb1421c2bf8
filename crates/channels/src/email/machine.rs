//! Mails that a program sent, which no program may answer (RFC 3834).

use mail_parser::Message;

/// Headers that only programs and mailing lists set.
const MARKS: [&str; 6] =
    ["X-Auto-Response-Suppress", "X-Autoreply", "X-Autorespond", "List-Id", "List-Unsubscribe", "X-Failed-Recipients"];
/// Values of `Precedence` of programs.
const PRECEDENCES: [&str; 4] = ["bulk", "junk", "list", "auto_reply"];
/// Local parts of addresses that nobody reads.
const PROGRAMS: [&str; 7] =
    ["mailer-daemon", "postmaster", "no-reply", "noreply", "no_reply", "donotreply", "do-not-reply"];

/// Whether a program sent the mail: its headers say so, it has no return path, or nobody reads its address.
pub(super) fn is_automatic(mail: &Message<'_>) -> bool {
    let value = |name: &str| mail.header_raw(name).map(|it| it.trim().to_ascii_lowercase());
    let first_word = |name: &str| {
        let value = value(name)?;
        value.split([';', ' ', '(']).next().map(str::to_owned)
    };
    let is_submitted = first_word("Auto-Submitted").is_some_and(|it| it != "no");
    let has_precedence = first_word("Precedence").is_some_and(|it| PRECEDENCES.contains(&it.as_str()));
    let has_mark = MARKS.iter().any(|name| value(name).is_some());
    let has_no_return = value("Return-Path").is_some_and(|it| it == "<>");
    is_submitted || has_precedence || has_mark || has_no_return || is_of_a_program(mail)
}

fn is_of_a_program(mail: &Message<'_>) -> bool {
    let address = mail.from().and_then(|from| from.first()).and_then(|it| it.address()).unwrap_or_default();
    let local = address.split('@').next().unwrap_or_default().to_ascii_lowercase();
    PROGRAMS.contains(&local.as_str())
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    fn is_machine(from: &str, headers: &str) -> bool {
        let raw = format!("From: {from}\r\n{headers}Subject: Away\r\n\r\nI am away.\r\n");
        is_automatic(&MessageParser::default().parse(&raw).unwrap())
    }

    #[test]
    fn recognises_the_mails_of_programs() {
        for headers in [
            "Auto-Submitted: auto-replied\r\n",
            "auto-submitted: Auto-Generated; owner=x\r\n",
            "Auto-Submitted: auto-notified (x)\r\n",
            "Precedence: bulk\r\n",
            "Precedence: Auto_Reply\r\n",
            "List-Id: <list.example.com>\r\n",
            "List-Unsubscribe: <https://example.com/u>\r\n",
            "X-Auto-Response-Suppress: All\r\n",
            "X-Autoreply: yes\r\n",
            "X-Autorespond: yes\r\n",
            "X-Failed-Recipients: ada@example.com\r\n",
            "Return-Path: <>\r\n",
        ] {
            assert!(is_machine("ada@example.com", headers), "{headers}");
        }
        for from in ["MAILER-DAEMON@example.com", "postmaster@example.com", "No-Reply@example.com"] {
            assert!(is_machine(from, ""), "{from}");
        }
    }

    #[test]
    fn takes_other_mails_as_written_by_a_person() {
        for headers in
            ["", "Auto-Submitted: no\r\n", "Precedence: first-class\r\n", "Return-Path: <ada@example.com>\r\n"]
        {
            assert!(!is_machine("Ada <ada@example.com>", headers), "{headers}");
        }
    }
}
