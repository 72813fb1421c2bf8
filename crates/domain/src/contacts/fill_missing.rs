//! Filling of missing attributes from another contact.

use super::{Contact, with_attributes};

macro_rules! fill_missing {
    ($({ $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* })*) => {
        impl Contact {
            /// Copies the attributes that this contact lacks from another contact.
            pub(crate) fn fill_from(&mut self, other: &Self) {
                $($(
                    if self.$name.is_none() {
                        self.$name = other.$name.clone();
                    }
                )*)*
            }
        }
    };
}

with_attributes!(fill_missing in order shown);
