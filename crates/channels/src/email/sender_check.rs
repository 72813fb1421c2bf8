//! The check of a mail's sender by the receiving mail server: `Authentication-Results` (RFC 8601).

use mail_parser::Message;

/// The header with the results.
const HEADER: &str = "Authentication-Results";
/// Maximum length of a header in bytes. Longer ones are not read.
const LONGEST: usize = 8_192;

/// Whether the mail server named `server` found that the mail comes from the domain of `address`, its sender. Only the
/// topmost header counts: a sender can write others, but the receiving server adds its own above them.
pub(super) fn is_verified(mail: &Message<'_>, address: &str, server: &str) -> bool {
    let Some((_, domain)) = address.rsplit_once('@') else { return false };
    let topmost = mail.headers().iter().find(|header| header.name.as_str().eq_ignore_ascii_case(HEADER));
    let bounds = topmost
        .and_then(|header| Some(usize::try_from(header.offset_start).ok()?..usize::try_from(header.offset_end).ok()?));
    let raw = bounds.and_then(|bounds| std::str::from_utf8(mail.raw_message.get(bounds)?).ok());
    has_one_sender(mail) && raw.is_some_and(|raw| passes(raw, domain, server))
}

/// Whether the mail has one sender. With several, servers disagree about the one that they check.
fn has_one_sender(mail: &Message<'_>) -> bool {
    let headers = mail.headers().iter().filter(|header| header.name.as_str().eq_ignore_ascii_case("From")).count();
    headers == 1 && mail.from().is_some_and(|from| from.iter().count() == 1)
}

/// Whether a header of `server` has a result that vouches for the domain: `dmarc=pass`. Without a result of DMARC, a
/// DKIM signature or an SPF pass of the domain or of one above it.
fn passes(raw: &str, domain: &str, server: &str) -> bool {
    let Some(plain) = Some(raw).filter(|raw| raw.len() <= LONGEST).and_then(without_comments) else { return false };
    let mut parts = plain.split(';');
    let own = parts.next().unwrap_or_default().split_ascii_whitespace().next();
    if !own.is_some_and(|own| own.eq_ignore_ascii_case(server)) {
        return false;
    }
    let results: Vec<Finding<'_>> = parts.filter_map(Finding::read).collect();
    let mut of_dmarc = results.iter().filter(|finding| finding.is_of("dmarc")).peekable();
    if of_dmarc.peek().is_some() {
        return of_dmarc.all(|finding| finding.passed && finding.is_for("header.from", domain));
    }
    let by_dkim = |finding: &Finding<'_>| finding.is_of("dkim") && finding.vouches("header.d", domain);
    let by_spf = |finding: &Finding<'_>| finding.is_of("spf") && finding.vouches("smtp.mailfrom", domain);
    results.iter().any(|finding| finding.passed && (by_dkim(finding) || by_spf(finding)))
}

/// One result of a header, such as `dkim=pass header.d=example.com`.
struct Finding<'h> {
    method: &'h str,
    passed: bool,
    properties: Vec<(&'h str, &'h str)>,
}

impl<'h> Finding<'h> {
    fn read(text: &'h str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let (method, result) = words.next()?.split_once('=')?;
        // The version of the method may follow it.
        let method = method.split('/').next().unwrap_or_default();
        let properties = words.filter_map(|word| word.split_once('=')).collect();
        Some(Self { method, passed: result.eq_ignore_ascii_case("pass"), properties })
    }

    fn is_of(&self, method: &str) -> bool {
        self.method.eq_ignore_ascii_case(method)
    }

    /// Returns the domain of a property, which may be an address.
    fn domain_at(&self, name: &str) -> Option<&'h str> {
        let (_, value) = self.properties.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(value.rsplit_once('@').map_or(*value, |(_, domain)| domain))
    }

    /// Whether a property names this domain, or is missing.
    fn is_for(&self, name: &str, domain: &str) -> bool {
        self.domain_at(name).is_none_or(|own| own.eq_ignore_ascii_case(domain))
    }

    /// Whether a property names this domain or one above it.
    fn vouches(&self, name: &str, domain: &str) -> bool {
        let domain = domain.to_ascii_lowercase();
        self.domain_at(name).map(str::to_ascii_lowercase).is_some_and(|own| {
            let is_above = domain.strip_suffix(own.as_str()).is_some_and(|rest| rest.ends_with('.'));
            domain == own || (own.contains('.') && is_above)
        })
    }
}

/// Returns a header without comments and quoted texts, which may repeat words of the sender, and without spaces around
/// `=`. `None` if one of them does not end.
fn without_comments(raw: &str) -> Option<String> {
    let (mut plain, mut depth, mut is_quoted) = (String::new(), 0_u32, false);
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if is_quoted || depth > 0 => {
                characters.next()?;
            }
            '"' if depth == 0 => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            '=' => {
                plain.truncate(plain.trim_end().len());
                plain.push('=');
            }
            space if space.is_ascii_whitespace() && plain.ends_with('=') => {}
            other => plain.push(other),
        }
    }
    (depth == 0 && !is_quoted).then_some(plain)
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    const SERVER: &str = "mx.shop.example";

    fn checked(headers: &str) -> bool {
        let raw = format!("{headers}From: Ada <ada@mail.example.com>\r\nSubject: Hi\r\n\r\nSTART\r\n");
        is_verified(&MessageParser::default().parse(&raw).unwrap(), "ada@mail.example.com", SERVER)
    }

    fn of(results: &str) -> bool {
        checked(&format!("Authentication-Results: {results}\r\n"))
    }

    #[test]
    fn accepts_senders_that_the_receiving_server_verified() {
        for results in [
            "mx.shop.example; dmarc=pass header.from=mail.example.com",
            "MX.shop.example 1; spf=fail smtp.mailfrom=x.example;\r\n\tdmarc = pass (p=none) header.from=Mail.Example.com",
            "mx.shop.example; dmarc=pass",
            "mx.shop.example; dkim=pass header.d=example.com header.s=k1",
            "mx.shop.example; dkim/1=pass header.d=mail.example.com",
            "mx.shop.example; dkim=fail header.d=example.com; spf=pass smtp.mailfrom=ada@mail.example.com",
        ] {
            assert!(of(results), "{results}");
        }
    }

    #[test]
    fn rejects_other_results() {
        for results in [
            "mx.shop.example; none",
            "mx.shop.example",
            "",
            "mx.other.example; dmarc=pass header.from=mail.example.com",
            "mx.shop.example; dmarc=fail header.from=mail.example.com; dkim=pass header.d=mail.example.com",
            "mx.shop.example; dmarc=pass header.from=other.example",
            "mx.shop.example; dmarc=pass; dmarc=fail",
            "mx.shop.example; dkim=pass header.d=evil.example",
            "mx.shop.example; dkim=pass header.d=sub.mail.example.com",
            "mx.shop.example; dkim=pass header.d=com",
            "mx.shop.example; dkim=pass header.d=ail.example.com",
            "mx.shop.example; dkim=pass header.b=x",
            "mx.shop.example; spf=pass smtp.mailfrom=ada@evil.example",
            "mx.shop.example; spf=softfail smtp.mailfrom=mail.example.com",
            // Words of the sender in quoted texts and comments.
            "mx.shop.example; spf=fail smtp.mailfrom=\"x; dmarc=pass header.from=mail.example.com;\"@evil.example",
            "mx.shop.example; spf=fail (x; dmarc=pass; \\) ; dmarc=pass) smtp.mailfrom=evil.example",
            "mx.shop.example; spf=fail reason=\"open; dmarc=pass",
        ] {
            assert!(!of(results), "{results}");
        }
    }

    #[test]
    fn trusts_only_the_topmost_header() {
        let (good, bad) = ("dmarc=pass header.from=mail.example.com", "dmarc=fail header.from=mail.example.com");
        let header = |results: &str| format!("Authentication-Results: {SERVER}; {results}\r\n");
        assert!(checked(&format!("{}{}", header(good), header(bad))));
        assert!(!checked(&format!("{}{}", header(bad), header(good))));
        let foreign = format!("Authentication-Results: mx.other.example; {bad}\r\n");
        assert!(!checked(&format!("{foreign}{}", header(good))));
        assert!(!checked(""));
    }

    #[test]
    fn rejects_mails_with_several_senders() {
        let pass = format!("Authentication-Results: {SERVER}; dmarc=pass\r\n");
        assert!(!checked(&format!("{pass}From: eve@evil.example\r\n")));
        let raw = format!("{pass}From: ada@mail.example.com, eve@evil.example\r\n\r\nSTART");
        assert!(!is_verified(&MessageParser::default().parse(&raw).unwrap(), "ada@mail.example.com", SERVER));
    }
}
