//! Conventions of languages and regions: decimal signs and the order of dates.
//!
//! Source: Unicode CLDR, reduced to what all users of a language or region agree on. A language without a region
//! decides only if its regions agree. A country without a language decides only if its languages agree.

use crate::dates::DateOrder;
use crate::numbers::Decimal;
use crate::phones::Country;

/// The locale and the country of the person who wrote an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Writer<'a> {
    /// A language tag, such as `de` or `en-US`.
    pub locale: Option<&'a str>,
    /// The country, if there is no locale or the locale has no region.
    pub country: Option<Country>,
}

impl Writer<'_> {
    /// The country of a phone number without a country code: the region of the locale, otherwise the country.
    pub fn phone_country(self) -> Option<Country> {
        let region = self.locale.and_then(region);
        region.and_then(|it| Country::parse(&it)).or(self.country)
    }
}

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

/// Countries with a decimal comma in all their languages.
const COUNTRIES_COMMA: &[&str] = &[
    "AD", "AL", "AM", "AO", "AR", "AT", "AX", "AZ", "BA", "BE", "BF", "BG", "BI", "BJ", "BL", "BO", "BR", "BY", "CD",
    "CF", "CG", "CI", "CL", "CO", "CR", "CV", "CZ", "DE", "DK", "DZ", "EC", "EE", "ES", "FI", "FO", "FR", "GA", "GE",
    "GF", "GL", "GN", "GP", "GR", "GW", "HR", "HU", "ID", "IS", "IT", "KG", "KZ", "LT", "LU", "LV", "MA", "MC", "MD",
    "ME", "MF", "MG", "MK", "ML", "MQ", "MZ", "NC", "NE", "NL", "NO", "PF", "PL", "PM", "PT", "PY", "RE", "RO", "RS",
    "RU", "SE", "SI", "SK", "SM", "SN", "SR", "ST", "TD", "TG", "TJ", "TM", "TN", "TR", "UA", "UY", "UZ", "VA", "VE",
    "VN", "WF", "XK", "YT",
];
/// Countries with a decimal point in all their languages.
const COUNTRIES_POINT: &[&str] = &[
    "AU", "BB", "BD", "BS", "BW", "BZ", "CN", "DO", "FJ", "GB", "GG", "GH", "GI", "GT", "GU", "GY", "HK", "HN", "IE",
    "IL", "IM", "IN", "JE", "JM", "JP", "KE", "KR", "LI", "LK", "MO", "MT", "MX", "MY", "NG", "NI", "NP", "NZ", "PA",
    "PE", "PH", "PK", "PR", "SG", "SV", "TH", "TT", "TW", "TZ", "UG", "US", "VI", "ZM", "ZW",
];
/// Of these, countries that write the year first or use both orders of day and month.
const COUNTRIES_OTHER_DATE: &[&str] = &["CN", "HK", "HU", "JP", "KR", "MO", "NP", "PA", "PH", "TW"];

/// The conventions of a writer: those of the locale, in the country if the locale has no region.
pub(crate) fn of_writer(writer: Writer<'_>) -> Conventions {
    match (writer.locale, writer.country) {
        (None, Some(country)) => of_country(country),
        (Some(locale), Some(country)) if region(locale).is_none() => of(Some(&format!("{locale}-{}", country.code()))),
        (locale, _) => of(locale),
    }
}

fn of_country(country: Country) -> Conventions {
    let code = country.code();
    let decimal = match (COUNTRIES_COMMA.contains(&code), COUNTRIES_POINT.contains(&code)) {
        (true, _) => Some(Decimal::Comma),
        (false, true) => Some(Decimal::Point),
        (false, false) => None,
    };
    let date = if MONTH_FIRST.contains(&code) {
        Some(DateOrder::Mdy)
    } else if code == "CH" || (decimal.is_some() && !COUNTRIES_OTHER_DATE.contains(&code)) {
        Some(DateOrder::Dmy)
    } else {
        None
    };
    Conventions { decimal, date }
}

/// The conventions of a locale such as `de`, `en-GB` or `es_MX`.
pub(crate) fn of(locale: Option<&str>) -> Conventions {
    let Some(locale) = locale else { return Conventions::default() };
    let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let region = region(locale);
    let region = region.as_deref();
    Conventions { decimal: decimal(&language, region), date: date(&language, region) }
}

/// The region of a locale in upper case.
fn region(locale: &str) -> Option<String> {
    let is_region =
        |part: &&str| part.len() == 2 || (part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let behind = locale.split(['-', '_']).skip(1);
    behind.take_while(|part| part.len() > 1).find(is_region).map(str::to_ascii_uppercase)
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

    #[test]
    fn a_country_decides_for_writers_without_a_region() {
        for (locale, country, decimal, date) in [
            (None, "DE", Some(Decimal::Comma), Some(DateOrder::Dmy)),
            (None, "US", Some(Decimal::Point), Some(DateOrder::Mdy)),
            (None, "GB", Some(Decimal::Point), Some(DateOrder::Dmy)),
            (None, "CH", None, Some(DateOrder::Dmy)),
            (None, "CA", None, None),
            (None, "JP", Some(Decimal::Point), None),
            (Some("en"), "GB", Some(Decimal::Point), Some(DateOrder::Dmy)),
            (Some("en"), "US", Some(Decimal::Point), Some(DateOrder::Mdy)),
            (Some("en"), "DE", None, Some(DateOrder::Dmy)),
            (Some("de"), "CH", Some(Decimal::Point), Some(DateOrder::Dmy)),
            (Some("en-US"), "DE", Some(Decimal::Point), Some(DateOrder::Mdy)),
        ] {
            let writer = Writer { locale, country: Country::parse(country) };
            assert_eq!(of_writer(writer), Conventions { decimal, date }, "{locale:?} {country}");
        }
    }

    #[test]
    fn phone_numbers_are_of_the_region_of_the_locale_or_of_the_country() {
        for (locale, country, expected) in [
            (None, "", None),
            (Some("de"), "", None),
            (Some("de-AT"), "", Some("AT")),
            (Some("de_AT"), "DE", Some("AT")),
            (Some("de"), "CH", Some("CH")),
            (None, "CH", Some("CH")),
            (Some("es-419"), "MX", Some("MX")),
        ] {
            let writer = Writer { locale, country: Country::parse(country) };
            assert_eq!(writer.phone_country().map(Country::code), expected, "{locale:?} {country}");
        }
    }

    #[test]
    fn no_country_has_two_decimal_signs() {
        assert!(COUNTRIES_COMMA.iter().all(|it| !COUNTRIES_POINT.contains(it)));
        assert!(COUNTRIES_COMMA.is_sorted() && COUNTRIES_POINT.is_sorted());
    }
}
