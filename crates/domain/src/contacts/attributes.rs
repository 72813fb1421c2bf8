//! The table of a contact's attributes.

use crate::words::words;

/// Passes the table of contact attributes to the macro `$make`: variant, name, type of the value, and type in
/// conditions.
///
/// All attributes can be set and cleared. The API returns them, requests and `set_field` write them, and templates and
/// conditions read them.
///
/// The table has two groups, because views insert computed properties such as `name` between them.
macro_rules! with_attributes {
    ($make:ident) => {
        $make! {
            {
                /// The client's own ID of the contact; unique among contacts that are not deleted.
                ExternalId external_id: $crate::contacts::ExternalId, Text;
                /// Given name.
                FirstName first_name: String, Text;
                /// Family name.
                LastName last_name: String, Text;
            }
            {
                /// Email address in lower case; unique among contacts that are not deleted.
                Email email: $crate::contacts::Email, Email;
                /// Phone number in E.164; unique among contacts that are not deleted.
                Phone phone: $crate::contacts::Phone, Phone;
                /// Language tag (BCP 47).
                Locale locale: $crate::contacts::Locale, Text;
                /// IANA time zone.
                TimeZone time_zone: $crate::contacts::TimeZone, Text;
                /// URL of a picture of the contact, which begins with `https://`.
                AvatarUrl avatar_url: $crate::contacts::AvatarUrl, Presence;
            }
        }
    };
}
pub(crate) use with_attributes;

words! {
    plain
    /// An attribute of a contact that may be set and cleared. The words are its names, which are also the store's columns.
    #[derive(PartialOrd, Ord)]
    Attribute {
        /// Given name.
        FirstName = "first_name",
        /// Family name.
        LastName = "last_name",
        /// Email address in lower case; unique among contacts that are not deleted.
        Email = "email",
        /// Phone number in E.164; unique among contacts that are not deleted.
        Phone = "phone",
        /// The client's own ID of the contact; unique among contacts that are not deleted.
        ExternalId = "external_id",
        /// Language tag (BCP 47).
        Locale = "locale",
        /// IANA time zone.
        TimeZone = "time_zone",
        /// URL of a picture of the contact, which begins with `https://`.
        AvatarUrl = "avatar_url",
    }
}

impl Attribute {
    /// The names under `contact` in templates.
    pub(super) const IN_TEMPLATES: &[&str] = &[
        "id",
        "first_name",
        "last_name",
        "name",
        "email",
        "phone",
        "external_id",
        "locale",
        "time_zone",
        "avatar_url",
        "created_at",
    ];

    /// An example value in normal form.
    pub fn example(self) -> &'static str {
        match self {
            Self::FirstName => "Ada",
            Self::LastName => "Lovelace",
            Self::Email => "ada@example.com",
            Self::Phone => "+4930123456",
            Self::ExternalId => "crm-4711",
            Self::Locale => "en",
            Self::TimeZone => "Europe/Berlin",
            Self::AvatarUrl => "https://example.com/ada.png",
        }
    }
}
