//! Attributes that one contact lacks and another has.

use super::{Contact, with_attributes};

macro_rules! filling {
    ($({ $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* })*) => {
        impl Contact {
            /// Takes from another contact the attributes that this one lacks.
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

with_attributes!(filling in order shown);
