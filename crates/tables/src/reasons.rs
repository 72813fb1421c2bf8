//! Reasons why a cell does not fit the format of its column.

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident = $code:literal, $problem:literal, $remedy:literal;)*) => {
        /// The reason why a cell does not fit the format of its column.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The stable code, for clients.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The problem, as it follows the value in a message: `is …` or `has …`.
            pub fn problem(self) -> &'static str {
                match self { $(Self::$variant => $problem,)* }
            }

            /// The remedy, as an imperative. Empty if the accepted form says it.
            pub fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)* }
            }
        }
    };
}

reasons! {
    /// An error value of a formula, such as `#N/A`.
    SpreadsheetError = "spreadsheet_error", "is an error value of a spreadsheet formula",
        "correct the formula or clear the cell";
    /// A number in scientific notation in a column of phone numbers or IDs: digits are lost.
    ScientificNotation = "scientific_notation", "is in scientific notation, so its last digits are lost",
        "format the column as text in the spreadsheet and enter the digits again";
    /// A control character, such as U+0000.
    ControlCharacter = "control_character", "has a control character", "remove it";
    /// The serial number of a date, such as `45291`.
    SerialNumber = "serial_number", "looks like the serial number of a date",
        "format the column as a date in the spreadsheet and save the table again";
    /// A year of two digits.
    TwoDigitYear = "two_digit_year", "has a year of two digits", "write the year with four digits";
    /// No date at all.
    NotADate = "not_a_date", "is not a date", "";
    /// A date in another form than the column has.
    OtherDateForm = "other_date_format", "is not a date in the format of the column", "";
    /// A day that the calendar does not have.
    NoSuchDay = "no_such_day", "is not a day of the calendar", "correct the day or the month";
    /// A time in a column of dates.
    HasTime = "unexpected_time", "has a time, but the column has dates without times",
        "remove the time or choose a format with times";
    /// A date without a time in a column of date-times.
    NoTime = "missing_time", "has no time", "add the time or choose a format without times";
    /// A time that cannot be read.
    NotATime = "not_a_time", "has a time that is not valid", "write the time as `18:00`, `18:00:00` or `6:00 pm`";
    /// A time zone in a column of local times.
    HasZone = "unexpected_zone", "has a time zone, but the format of the column has none",
        "choose a format with zones";
    /// A local time in a column of times with zones.
    NoZone = "missing_zone", "has no time zone, but the format of the column has one",
        "add `Z` or an offset such as `+02:00`, or choose a format without zones";
    /// No number at all.
    NotANumber = "not_a_number", "is not a number", "";
    /// A number in another form than the column has.
    OtherNumberForm = "other_number_format", "is not a number in the format of the column", "";
    /// A number with a currency or percent sign.
    UnitSign = "unit_sign", "has a currency or percent sign", "remove the sign";
    /// No word for yes or no.
    NotYesNo = "not_yes_no", "is neither yes nor no", "";
    /// A list that is not valid JSON.
    NotAList = "not_a_list", "is not a JSON list of texts", "";
    /// A JSON list in a column of lists with a separator.
    OtherListForm = "other_list_format", "is a JSON list, but the format of the column has a separator", "";
    /// A text that is none of the options.
    UnknownOption = "unknown_option", "is not an option of the field", "";
    /// A text that differs from several options by case alone.
    SeveralOptions = "several_options", "fits several options that differ in case", "write the option exactly";
    /// No phone number at all.
    NotAPhone = "not_a_phone", "is not a phone number", "";
    /// A number without country code, and no default country.
    NoCountry = "missing_country_code", "has no country code",
        "add the country code or choose a format with a country, such as `phone:DE`";
    /// A number without the national prefix of the default country: its first digits may be a country code.
    NoNationalPrefix = "missing_national_prefix", "has neither a country code nor the national prefix",
        "add `+` and the country code, or the national prefix (`0` in many countries)";
    /// A country code that does not exist.
    UnknownCountryCode = "unknown_country_code", "has an unknown country code", "";
    /// Too few or too many digits for the country.
    PhoneLength = "wrong_length", "has too few or too many digits for its country", "";
    /// No time zone.
    NotATimeZone = "not_a_time_zone", "is not a time zone of the IANA database", "";
    /// No language tag.
    NotALocale = "not_a_locale", "is not a language tag", "";
    /// A full name with two or more commas.
    SeveralCommas = "several_commas", "has several commas", "write `First Last` or `Last, First`, or use two columns";
}

/// Error values of formulas in English, German, French, Spanish, Portuguese and Italian.
const ERROR_VALUES: [&str; 26] = [
    "#N/A",
    "#REF!",
    "#NAME?",
    "#VALUE!",
    "#DIV/0!",
    "#NULL!",
    "#NUM!",
    "#SPILL!",
    "#CALC!",
    "#GETTING_DATA",
    "#ERROR!",
    "#NV",
    "#BEZUG!",
    "#WERT!",
    "#ZAHL!",
    "#VALEUR!",
    "#NOM?",
    "#NOMBRE!",
    "#N/D",
    "#¡VALOR!",
    "#¿NOMBRE?",
    "#¡REF!",
    "#¡DIV/0!",
    "#¡NUM!",
    "#VALOR!",
    "#NOME?",
];

/// Refuses what no format reads: error values of formulas, cells that show only `#`, and U+0000.
pub(crate) fn refuse_damage(cell: &str) -> Result<(), Reason> {
    if cell.starts_with('#') {
        let is_narrow = cell.len() > 2 && cell.bytes().all(|byte| byte == b'#');
        if is_narrow || ERROR_VALUES.iter().any(|it| it.eq_ignore_ascii_case(cell)) {
            return Err(Reason::SpreadsheetError);
        }
    }
    if cell.as_bytes().contains(&0) { Err(Reason::ControlCharacter) } else { Ok(()) }
}

/// Whether a cell is a number in scientific notation, such as `4.9E+11` or `4,9E+11`.
pub(crate) fn is_scientific(cell: &str) -> bool {
    let Some((mantissa, exponent)) = cell.split_once(['E', 'e']) else { return false };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = |text: &str, signs: &[u8]| {
        text.bytes().any(|byte| byte.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || signs.contains(&byte))
    };
    // `1e5` may be an ID; programs write at least a sign and two digits.
    let has_sign = cell.contains("E+") || cell.contains("e+") || mantissa.contains(['.', ',']);
    has_sign && exponent.len() <= 3 && is_number(mantissa, b".,-") && is_number(exponent, b"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_damaged_cells() {
        for cell in ["#N/A", "#n/a", "#NV", "#BEZUG!", "#¡VALOR!", "######"] {
            assert_eq!(refuse_damage(cell), Err(Reason::SpreadsheetError), "{cell}");
        }
        assert_eq!(refuse_damage("a\0b"), Err(Reason::ControlCharacter));
        for cell in ["#1", "#", "##", "N/A", "#Name"] {
            assert_eq!(refuse_damage(cell), Ok(()), "{cell}");
        }
        for cell in ["4.9E+11", "4,9E+11", "4.91524E+12", "5E+10"] {
            assert!(is_scientific(cell), "{cell}");
        }
        for cell in ["1e5", "E5", "abcE+1", "4.9", "DE+49", "4.9E+1111", "4.9E+"] {
            assert!(!is_scientific(cell), "{cell}");
        }
    }

    #[test]
    fn codes_are_unique() {
        let codes: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(codes.len(), Reason::ALL.len());
    }
}
