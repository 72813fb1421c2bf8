//! Folded copies of texts, for conditions and searches. Lists are sorted by another key; see [`crate::queries::sort_keys`].
//!
//! Each row contains the version of its folding. A later release can find rows with an older version.

use tidings_domain::contacts::Contact;
use tidings_domain::text::fold;

use crate::schema::contacts;

pub(crate) const FOLDING: i32 = 2;

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct Folded in contacts {
        pub(crate) external_id_folded: Option<String>,
        pub(crate) first_name_folded: Option<String>,
        pub(crate) last_name_folded: Option<String>,
        pub(crate) name_folded: Option<String>,
        pub(crate) email_folded: Option<String>,
        pub(crate) locale_folded: Option<String>,
        pub(crate) time_zone_folded: Option<String>,
        pub(crate) name_key: Option<String>,
        pub(crate) search_text: String,
        pub(crate) folding: i32,
    }
}

impl Folded {
    pub(crate) fn of(it: &Contact) -> Self {
        Self {
            external_id_folded: it.external_id.as_ref().map(|it| fold(it.as_str())),
            first_name_folded: it.first_name.as_deref().map(fold),
            last_name_folded: it.last_name.as_deref().map(fold),
            name_folded: it.name().as_deref().map(fold),
            email_folded: it.email.as_ref().map(|it| fold(&it.canonical())),
            locale_folded: it.locale.as_ref().map(|it| fold(it.as_str())),
            time_zone_folded: it.time_zone.as_ref().map(|it| fold(it.as_str())),
            name_key: it.name_key(),
            search_text: it.search_text(),
            folding: FOLDING,
        }
    }
}
