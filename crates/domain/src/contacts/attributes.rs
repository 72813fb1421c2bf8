//! The table of a contact's attributes.

/// Passes the table of contact attributes to the macro `$make`: variant, name, type of the value, and type in
/// conditions.
///
/// All attributes can be set and cleared. The API returns them, requests and `set_field` write them, and templates and
/// conditions read them.
///
/// The table has two groups, because views insert computed properties such as `name` between them. The order `shown` is
/// for the API, `named` for flows and templates.
macro_rules! with_attributes {
    ($make:ident in order $order:ident) => {
        $crate::contacts::with_attributes! {
            @$order $make
            own {
                /// The client's own ID of the contact; unique among contacts that are not deleted.
                ExternalId external_id: $crate::contacts::ExternalId, Text;
            }
            names {
                /// Given name.
                FirstName first_name: String, Text;
                /// Family name.
                LastName last_name: String, Text;
            }
            addresses {
                /// Email address in lower case; unique among contacts that are not deleted.
                Email email: $crate::contacts::Email, Email;
                /// Phone number in E.164; unique among contacts that are not deleted.
                Phone phone: $crate::contacts::Phone, Phone;
            }
            others {
                /// Language tag (BCP 47).
                Locale locale: $crate::contacts::Locale, Text;
                /// IANA time zone.
                TimeZone time_zone: $crate::contacts::TimeZone, Text;
                /// URL of a picture of the contact, which begins with `https://`.
                AvatarUrl avatar_url: $crate::contacts::AvatarUrl, Presence;
            }
        }
    };
    (@shown $make:ident own { $($own:tt)* } names { $($names:tt)* } addresses { $($addresses:tt)* } others { $($others:tt)* }) => {
        $make! { { $($own)* $($names)* } { $($addresses)* $($others)* } }
    };
    (@named $make:ident own { $($own:tt)* } names { $($names:tt)* } addresses { $($addresses:tt)* } others { $($others:tt)* }) => {
        $make! { { $($names)* } { $($addresses)* $($own)* $($others)* } }
    };
}
pub(crate) use with_attributes;

macro_rules! attributes {
    (
        { $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* }
        { $($(#[$more_doc:meta])* $more_variant:ident $more:ident: $more_type:ty, $more_kind:ident;)* }
    ) => {
        /// An attribute of a contact that may be set and cleared.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Attribute {
            $($(#[$doc])* $variant,)*
            $($(#[$more_doc])* $more_variant,)*
        }

        impl Attribute {
            /// All attributes.
            pub const ALL: &[Self] = &[$(Self::$variant,)* $(Self::$more_variant,)*];
            /// The names, which are also the store's columns.
            pub const WORDS: &[&str] = &[$(stringify!($name),)* $(stringify!($more),)*];

            /// The name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($name),)*
                    $(Self::$more_variant => stringify!($more),)*
                }
            }
        }
    };
}

with_attributes!(attributes in order named);

impl Attribute {
    /// The attribute with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|attribute| attribute.as_str() == word)
    }

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
