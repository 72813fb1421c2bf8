//! Addresses of contacts: the digits of a phone number, or the ID of a user who hides the number.

use tidings_domain::contacts::{Phone, number_spellings};

/// Maximum number of digits of a phone number.
const MAX_DIGITS: usize = 20;
/// Maximum number of characters of a user ID.
const MAX_USER_ID: usize = 160;

/// Whether an address is a phone number in the form of WhatsApp: digits with the country code, without a plus sign.
pub(super) fn is_number(address: &str) -> bool {
    (5..=MAX_DIGITS).contains(&address.len()) && address.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an address is a business-scoped user ID, such as `US.13491208655302741918`: a country and an identifier.
pub(super) fn is_user_id(address: &str) -> bool {
    let Some((country, id)) = address.split_once('.') else { return false };
    let is_country = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    is_country && !id.is_empty() && address.len() <= MAX_USER_ID && id.bytes().all(is_allowed)
}

/// Returns a number of WhatsApp as the attribute of a contact. WhatsApp keeps outdated forms of some numbers; the
/// attribute has the current form.
pub(super) fn phone_of(digits: &str) -> Option<Phone> {
    let number = format!("+{digits}");
    let others = number_spellings(&number);
    std::iter::once(&number).chain(&others).find_map(|number| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_numbers_from_user_ids() {
        for number in ["491711234567", "5511912345678"] {
            assert!(is_number(number) && !is_user_id(number), "{number}");
        }
        for id in ["US.13491208655302741918", "DE.ENT.abc123"] {
            assert!(is_user_id(id) && !is_number(id), "{id}");
        }
        let long = format!("US.{}", "1".repeat(160));
        for neither in ["", "1234", "+491711234567", "US", "US.", "us.1", "USA.1", "US.a b", "US.ä", long.as_str()] {
            assert!(!is_user_id(neither) && !is_number(neither), "{neither}");
        }
    }

    #[test]
    fn numbers_become_attributes_in_their_current_form() {
        let phone = |digits: &str| phone_of(digits).map(|phone| phone.to_string());
        assert_eq!(phone("491711234567").as_deref(), Some("+491711234567"));
        assert_eq!(phone("5215512345678").as_deref(), Some("+525512345678"));
        assert_eq!(phone("99912345"), None);
    }
}
