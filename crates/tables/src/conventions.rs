//! Conventions of languages and regions: decimal signs and the order of dates.
//!
//! Source: Unicode CLDR, reduced to what all users of a language or region agree on. A language without a region
//! decides only if its regions agree.

use crate::dates::DateOrder;
use crate::numbers::Decimal;

/// The conventions of a locale. `None` means that the locale does not decide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Conventions {
    pub(crate) decimal: Option<Decimal>,
    /// The order of day and month before the year.
    pub(crate) date: Option<DateOrder>,
}

/// Languages that write a decimal comma, and the day before the month.
const COMMA: &[&str] = &[
    "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "et", "eu", "fi", "fr", "gl", "hr", "hu", "id", "is", "it",
    "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr",
    "uk", "vi",
];
/// Languages that write a decimal point.
const POINT: &[&str] =
    &["bn", "cy", "en", "fil", "ga", "he", "hi", "ja", "ko", "mr", "ms", "sw", "ta", "te", "th", "zh"];
/// Spanish-speaking regions with a decimal comma; the others write a point.
const SPANISH_COMMA: &[&str] = &["AR", "BO", "CL", "CO", "CR", "EA", "EC", "ES", "GQ", "IC", "PY", "UY", "VE"];
/// Regions where users of English also know a decimal comma.
const ENGLISH_EITHER: &[&str] =
    &["AT", "BE", "CH", "DE", "DK", "ES", "FI", "FR", "IT", "NL", "NO", "PL", "PT", "SE", "SI", "ZA"];
/// Regions that write the month first.
const MONTH_FIRST: &[&str] = &["US", "AS", "GU", "MH", "MP", "PR", "UM", "VI"];

/// The conventions of a locale such as `de`, `en-GB` or `es_MX`.
pub(crate) fn of(locale: Option<&str>) -> Conventions {
    let Some(locale) = locale else { return Conventions::default() };
    let mut parts = locale.split(['-', '_']);
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_region =
        |part: &&str| part.len() == 2 || (part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let region = parts.take_while(|part| part.len() > 1).find(is_region).map(str::to_ascii_uppercase);
    let region = region.as_deref();
    Conventions { decimal: decimal(&language, region), date: date(&language, region) }
}

fn decimal(language: &str, region: Option<&str>) -> Option<Decimal> {
    match (language, region) {
        ("de", Some("CH" | "LI")) | ("it", Some("CH")) => Some(Decimal::Point),
        ("en", Some(region)) if ENGLISH_EITHER.contains(&region) => None,
        ("es", Some(region)) if SPANISH_COMMA.contains(&region) => Some(Decimal::Comma),
        ("es", Some(_)) => Some(Decimal::Point),
        (language, _) if COMMA.contains(&language) => Some(Decimal::Comma),
        (language, _) if POINT.contains(&language) => Some(Decimal::Point),
        _ => None,
    }
}

fn date(language: &str, region: Option<&str>) -> Option<DateOrder> {
    match (language, region) {
        ("en", Some(region)) if MONTH_FIRST.contains(&region) => Some(DateOrder::Mdy),
        // Canada and the Philippines use both orders; English without a region may be of any country.
        ("en", None | Some("CA" | "PH" | "001")) | ("fr", Some("CA")) => None,
        ("en", Some(_)) => Some(DateOrder::Dmy),
        ("es", Some("US" | "PR" | "PA")) => None,
        ("es", _) => Some(DateOrder::Dmy),
        (language, _) if COMMA.contains(&language) => Some(DateOrder::Dmy),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_region_decides_only_if_its_regions_agree() {
        for (locale, decimal, date) in [
            ("de", Some(Decimal::Comma), Some(DateOrder::Dmy)),
            ("de-CH", Some(Decimal::Point), Some(DateOrder::Dmy)),
            ("pt_BR", Some(Decimal::Comma), Some(DateOrder::Dmy)),
            ("en", Some(Decimal::Point), None),
            ("en-US", Some(Decimal::Point), Some(DateOrder::Mdy)),
            ("EN_gb", Some(Decimal::Point), Some(DateOrder::Dmy)),
            ("en-CA", Some(Decimal::Point), None),
            ("en-DE", None, Some(DateOrder::Dmy)),
            ("es", None, Some(DateOrder::Dmy)),
            ("es-ES", Some(Decimal::Comma), Some(DateOrder::Dmy)),
            ("es-MX", Some(Decimal::Point), Some(DateOrder::Dmy)),
            ("es-419", Some(Decimal::Point), Some(DateOrder::Dmy)),
            ("sr-Latn-RS", Some(Decimal::Comma), Some(DateOrder::Dmy)),
            ("ja", Some(Decimal::Point), None),
            ("xx", None, None),
        ] {
            assert_eq!(of(Some(locale)), Conventions { decimal, date }, "{locale}");
        }
        assert_eq!(of(None), Conventions::default());
    }
}
