//! A contact's attributes in request bodies.

use std::marker::PhantomData;

use super::forms::AttributeValue;
use super::{Attribute, ContactPatch, NewContact, with_attributes};
use crate::body;
#[cfg(feature = "openapi")]
use crate::read::schema::{Annotate, Describe, Described};
use crate::read::{Input, Read, Violation, string};

/// A reader of one attribute; see [`attribute`].
#[derive(Debug, Clone, Copy)]
struct AttributeReader<T> {
    #[cfg_attr(not(feature = "openapi"), allow(dead_code, reason = "nothing but the document needs its example"))]
    attribute: Attribute,
    of: PhantomData<T>,
}

/// Reads a text as this attribute. Errors are `invalid_format`; names report `blank` or `too_long`.
fn attribute<T: AttributeValue>(attribute: Attribute) -> AttributeReader<T> {
    AttributeReader { attribute, of: PhantomData }
}

impl<T: AttributeValue> Read<T> for AttributeReader<T> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        string(T::written).read(input)
    }
}

#[cfg(feature = "openapi")]
impl<T: AttributeValue> Describe for AttributeReader<T> {
    fn describe(&self) -> Described {
        let text = string(T::written).with(|it| it.min_length(Some(1)).max_length(T::MOST));
        text.example(self.attribute.example()).describe()
    }
}

macro_rules! bodies {
    ($({ $($(#[doc = $doc:literal])* $variant:ident $name:ident: $type:ty, $kind:ident;)* })*) => {
        body! {
            /// Attributes in a request that cannot clear them. Absent means unknown.
            pub struct KnownAttributes {
                $($($(#[doc = $doc])* optional $name: $type = attribute(Attribute::$variant);)*)*
            }
        }

        body! {
            /// Attributes that can be cleared. On creation, `null` is the same as absent.
            pub struct PatchedAttributes {
                $($($(#[doc = $doc])* patch $name: $type = attribute(Attribute::$variant);)*)*
            }
        }

        impl From<KnownAttributes> for NewContact {
            fn from(it: KnownAttributes) -> Self {
                Self { $($($name: it.$name,)*)* ..Self::default() }
            }
        }

        impl From<PatchedAttributes> for ContactPatch {
            fn from(it: PatchedAttributes) -> Self {
                Self { $($($name: it.$name,)*)* ..Self::default() }
            }
        }
    };
}

with_attributes!(bodies);

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::read::{Body, nested};
    use crate::testing::a_contact;

    fn read<T: Body>(written: &Value) -> Result<T, Vec<(String, &'static str)>> {
        let read: Result<T, _> = nested::<T>().read(Input::from(written));
        read.map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect())
    }

    #[test]
    fn sets_and_clears_every_attribute() {
        let empty = a_contact().build();
        for attribute in Attribute::ALL.iter().copied() {
            let (name, text) = (attribute.as_str(), attribute.example());
            let mut contact = empty.clone();
            let told: KnownAttributes = read(&json!({name: text})).unwrap();
            NewContact::from(told).describe(&mut contact);
            assert_eq!(contact.attribute(attribute), Some(text), "{name}");
            let mut patched = |value: Value| {
                let patched: PatchedAttributes = read(&json!({name: value})).unwrap();
                ContactPatch::from(patched).merge_into(&mut contact);
                contact.clone()
            };
            assert_eq!(patched(Value::Null), empty, "{name}");
            assert_eq!(patched(json!(text)).attribute(attribute), Some(text), "{name}");
        }
    }

    #[test]
    fn reports_each_attribute_with_a_wrong_form() {
        let wrong = json!({
            "external_id": "", "first_name": " ", "last_name": "x".repeat(101), "email": "ada", "phone": 7,
            "time_zone": "Mars", "avatar_url": "http://a.io/a.png", "avatar": "x",
        });
        let expected = [
            ("/external_id", "invalid_format"),
            ("/first_name", "blank"),
            ("/last_name", "too_long"),
            ("/email", "invalid_format"),
            ("/phone", "wrong_type"),
            ("/time_zone", "invalid_format"),
            ("/avatar_url", "invalid_format"),
            ("/avatar", "unknown_field"),
        ]
        .map(|(place, code)| (place.to_owned(), code));
        assert_eq!(read::<KnownAttributes>(&wrong).err().unwrap_or_default(), expected);
        assert_eq!(read::<PatchedAttributes>(&wrong).err().unwrap_or_default(), expected);
        let unknown = read::<KnownAttributes>(&json!({"locale": null})).err().unwrap_or_default();
        assert_eq!(unknown, [("/locale".to_owned(), "null_not_allowed")]);
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn the_schema_describes_each_attribute_with_its_limits() {
        use utoipa::PartialSchema;

        let shown = json!(KnownAttributes::schema());
        for attribute in Attribute::ALL {
            let text = &shown["properties"][attribute.as_str()];
            assert_eq!((&text["type"], &text["minLength"]), (&json!("string"), &json!(1)), "{attribute:?}");
            assert_eq!(text["example"], attribute.example());
        }
        let most = |name: &str| shown["properties"][name]["maxLength"].as_u64();
        assert_eq!((most("first_name"), most("avatar_url"), most("phone")), (Some(100), Some(2_048), None));
    }
}
