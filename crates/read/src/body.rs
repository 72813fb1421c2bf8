//! Request bodies: one declaration for both parsing and the OpenAPI description.

use std::marker::PhantomData;

use super::{Fields, Input, Read, Report, Violation};

/// An object that is declared by [`body!`](crate::body!).
pub trait Body: Sized {
    /// Names of fields that responses contain and requests must not set.
    const READ_ONLY: &'static [&'static str];

    /// Reads its fields. Returns `None` if a value is missing because of an error, which is reported.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;
}

/// See [`nested`].
#[derive(Debug, Clone, Copy)]
pub struct NestedReader<T>(PhantomData<T>);

/// A reader of a nested declared object.
pub fn nested<T: Body>() -> NestedReader<T> {
    NestedReader(PhantomData)
}

impl<T: Body> Read<T> for NestedReader<T> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        Fields::read(input, Report::default(), |fields| {
            fields.read_only(T::READ_ONLY);
            T::read(fields)
        })
    }
}

/// Declares an object: its fields, which of them are required, and the reader of each. Generates the struct, its parser
/// (a [`Body`]) and, with the feature `openapi`, its schema; the two always match.
///
/// ```
/// use tidings_read::body;
/// use tidings_read::{Body, boolean, list, parse, text};
///
/// body! {
///     /// An order.
///     #[read_only(&["id"])]
///     pub struct Order {
///         /// Who orders.
///         required customer: String = text(1..=100);
///         /// Whether it is urgent; not, when absent.
///         optional urgent: bool = boolean();
///         /// What else is to be said.
///         nullable notes: Vec<String> = list(0..=5, text(1..=500));
///         /// Of which kind.
///         required kind as "type": String = text(1..=20);
///     }
/// }
///
/// let tree = parse(br#"{"customer": "Ada", "type": "gift", "notes": null}"#).unwrap();
/// let order = tree.read_body::<Order>().unwrap();
/// assert_eq!((order.customer.as_str(), order.urgent, order.notes), ("Ada", None, None));
///
/// let tree = parse(br#"{"customer": "", "id": 7}"#).unwrap();
/// let wrong = tree.read_body::<Order>().err().unwrap_or_default();
/// let found: Vec<_> = wrong.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
/// assert_eq!(found, [("/customer", "blank"), ("/type", "required"), ("/id", "unknown_field")]);
/// ```
///
/// A field begins with the method of [`Fields`] that reads it, which determines the meaning of absence and `null`:
/// `required`, `optional`, `nullable`, `or_default`, `patch`, `present` or `given`. Further arguments of the method
/// follow the reader. `flat` includes the fields of another [`Body`]. `as` sets another name: after a field its name in
/// JSON, after the struct its name in the OpenAPI description.
///
/// An enum declares an object with variants. One field is the discriminator; the variant determines the other fields.
///
/// ```
/// # use tidings_read::body;
/// # use tidings_read::{integer, parse, text};
/// body! {
///     /// A payment.
///     pub enum Payment by "type" {
///         "card" => Card(Card),
///         "cash" => Cash(Cash),
///     }
/// }
///
/// body! {
///     /// By card.
///     pub struct Card {
///         /// Its number.
///         required number: String = text(12..=19);
///     }
/// }
///
/// body! {
///     /// In cash.
///     pub struct Cash {
///         /// How much, in cents.
///         required amount: i64 = integer(1..=100_000);
///     }
/// }
///
/// let read = |text: &str| parse(text.as_bytes()).unwrap().read_body::<Payment>();
/// assert!(matches!(read(r#"{"type": "cash", "amount": 500}"#), Ok(Payment::Cash(Cash { amount: 500 }))));
/// let errors = |text: &str| read(text).err().unwrap_or_default().into_iter().map(|it| it.pointer).collect::<Vec<_>>();
/// assert_eq!(errors(r#"{"type": "cash", "number": "4000"}"#), ["/amount", "/number"]);
/// assert_eq!(errors(r#"{"type": "cheque"}"#), ["/type"]);
/// ```
#[macro_export]
macro_rules! body {
    (
        $(#[doc = $about:literal])*
        $vis:vis enum $name:ident by $key:literal {
            $($word:literal => $variant:ident($body:ty),)*
        }
    ) => {
        $(#[doc = $about])*
        $vis enum $name {
            $(#[doc = concat!("`", $word, "`.")] $variant($body),)*
        }

        impl $crate::Body for $name {
            const READ_ONLY: &'static [&'static str] = &[];

            fn read(fields: &mut $crate::Fields<'_>) -> Option<Self> {
                const WORDS: &[&str] = &[$($word),*];
                let known = |word: &str| WORDS.iter().copied().find(|known| *known == word);
                match fields.required($key, $crate::word(WORDS, known))? {
                    $($word => <$body as $crate::Body>::read(fields).map(Self::$variant),)*
                    _ => None,
                }
            }
        }

        $crate::body_schema! { enum $name, [$($about)*], $key, $($word => $body,)* }
    };
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:path),*)])?
        $(#[read_only($read_only:expr)])?
        $(#[schema($limits:expr)])?
        $vis:vis struct $name:ident $(as $shown:literal)? {
            $(
                $(#[doc = $doc:literal])*
                $(#[serde($($serde:tt)*)])?
                $presence:ident $field:ident $(as $key:literal)?: $type:ty $(= $reader:expr $(, $more:expr)?)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        $(#[derive($($derive),*)])?
        $vis struct $name {
            $(
                $(#[doc = $doc])*
                $(#[serde($($serde)*)])?
                $vis $field: $crate::body!(@type $presence $type),
            )*
        }

        impl $crate::Body for $name {
            const READ_ONLY: &'static [&'static str] = $crate::body!(@read_only $($read_only)?);

            fn read(fields: &mut $crate::Fields<'_>) -> Option<Self> {
                $(let $field = $crate::body!(
                    @read fields $presence $crate::body!(@key $field $($key)?), $type $(, $reader $(, $more)?)?
                );)*
                Some(Self { $($field: $crate::body!(@value $presence $field),)* })
            }
        }

        $crate::body_schema! {
            $name, $crate::body!(@key $name $($shown)?), [$($about)*], [$($limits)?],
            $($presence, $crate::body!(@key $field $($key)?), [$($doc)*], $type $(, $reader)?;)*
        }
    };
    (@type required $type:ty) => { $type };
    (@type flat $type:ty) => { $type };
    (@type or_default $type:ty) => { $type };
    (@type patch $type:ty) => { $crate::patch::Patch<$type> };
    (@type $presence:ident $type:ty) => { Option<$type> };
    (@read $fields:ident flat $key:expr, $type:ty) => { <$type as $crate::Body>::read($fields) };
    (@read $fields:ident $presence:ident $key:expr, $type:ty, $reader:expr $(, $more:expr)?) => {
        $fields.$presence($key, $reader $(, $more)?)
    };
    (@value required $field:ident) => { $field? };
    (@value present $field:ident) => { $field? };
    (@value flat $field:ident) => { $field? };
    (@value $presence:ident $field:ident) => { $field };
    (@key $field:ident $key:literal) => { $key };
    (@key $field:ident) => { stringify!($field) };
    (@read_only $read_only:expr) => { $read_only };
    (@read_only) => { &[] };
}

/// Without the feature `openapi`, bodies have no schema.
#[cfg(not(feature = "openapi"))]
#[doc(hidden)]
#[macro_export]
macro_rules! body_schema {
    ($($anything:tt)*) => {};
}
