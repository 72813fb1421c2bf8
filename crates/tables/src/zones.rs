//! Time zones and language tags, in any case and with `_` or spaces.

use chrono_tz::{TZ_VARIANTS, Tz};

/// The most characters of a language tag.
const MAX_TAG: usize = 35;

/// The IANA name of a time zone that is written in any case and with spaces for `_`, such as `america/new york`.
pub(crate) fn time_zone(cell: &str) -> Option<&'static str> {
    if let Ok(zone) = cell.parse::<Tz>() {
        return Some(zone.name());
    }
    let same = |name: &str| {
        let plain = |byte: u8| if byte == b' ' { b'_' } else { byte.to_ascii_lowercase() };
        name.len() == cell.len() && name.bytes().zip(cell.bytes()).all(|(one, other)| plain(one) == plain(other))
    };
    TZ_VARIANTS.iter().map(|zone| zone.name()).find(|name| same(name))
}

/// The tag in the form that BCP 47 recommends: `pt_br` is `pt-BR`, `ZH-hant-tw` is `zh-Hant-TW`.
pub(crate) fn locale(cell: &str) -> Option<String> {
    if !cell.is_ascii() || cell.len() > MAX_TAG {
        return None;
    }
    let mut tag = String::with_capacity(cell.len());
    let mut is_extension = false;
    for (place, part) in cell.split(['-', '_']).enumerate() {
        let is_word = part.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_valid = match place {
            0 => is_word && (2..=8).contains(&part.len()),
            _ => (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        };
        if !is_valid {
            return None;
        }
        let lower = part.to_ascii_lowercase();
        is_extension |= part.len() == 1;
        if place > 0 {
            tag.push('-');
        }
        match part.len() {
            _ if place == 0 || is_extension => tag.push_str(&lower),
            2 if is_word => tag.push_str(&part.to_ascii_uppercase()),
            4 if is_word => {
                tag.extend(part.chars().next().map(|first| first.to_ascii_uppercase()));
                tag.push_str(lower.get(1..).unwrap_or_default());
            }
            _ => tag.push_str(&lower),
        }
    }
    Some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_time_zones_in_any_case() {
        for (cell, zone) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("AMERICA/NEW YORK", "America/New_York"),
            ("America/Port-au-Prince", "America/Port-au-Prince"),
            ("utc", "UTC"),
        ] {
            assert_eq!(time_zone(cell), Some(zone), "{cell}");
        }
        for cell in ["", "Mars/Olympus", "UTC+02", "W. Europe Standard Time"] {
            assert_eq!(time_zone(cell), None, "{cell}");
        }
    }

    #[test]
    fn reads_language_tags_in_any_case() {
        for (cell, tag) in [
            ("de", "de"),
            ("DE", "de"),
            ("pt_br", "pt-BR"),
            ("EN-us", "en-US"),
            ("zh_hant_tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("de-CH-1996", "de-CH-1996"),
            ("en-u-CA-gregory", "en-u-ca-gregory"),
        ] {
            assert_eq!(locale(cell).as_deref(), Some(tag), "{cell}");
            assert_eq!(locale(tag).as_deref(), Some(tag));
        }
        for cell in ["", "d", "de_", "deutsch-", "de DE", "français", "1x"] {
            assert_eq!(locale(cell), None, "{cell}");
        }
    }
}
