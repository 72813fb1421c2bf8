//! What readers take, as the OpenAPI document shows it: JSON Schema, made of the readers themselves.

mod annotate;
mod declare;
mod readers;

use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Type};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Schema};

pub use annotate::{Annotate, Annotated, DescribedReader, choice, described};
#[doc(hidden)]
pub use declare::{__utoipa, one_of, reads};
pub use declare::{Declare, Declared, Name, Presence, RefOrSchema, text_of};

/// A schema, and the named ones that it refers to.
#[derive(Clone)]
pub struct Described {
    /// The schema.
    pub schema: RefOr<Schema>,
    /// What it refers to, by name.
    pub components: Vec<(String, RefOr<Schema>)>,
}

/// A reader that can say what it takes.
pub trait Describe {
    /// What it takes.
    fn describe(&self) -> Described;
}

impl Described {
    /// A schema that refers to no other.
    pub(crate) fn plain(schema: impl Into<Schema>) -> Self {
        Self { schema: RefOr::T(schema.into()), components: Vec::new() }
    }

    /// Any object.
    pub fn object() -> Self {
        let any = AdditionalProperties::FreeForm(true);
        Self::plain(ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(any)))
    }

    /// A reference to a named schema.
    pub fn named<T: ToSchema>() -> Self {
        let mut components = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut components);
        Self { schema: RefOr::Ref(Ref::from_schema_name(T::name())), components }
    }

    /// The schema itself, where it is a reference to a named one: for places that show each schema whole.
    pub fn inlined(self) -> RefOr<Schema> {
        let Self { schema: RefOr::Ref(reference), components } = self else { return self.schema };
        let is_meant = |(name, _): &(String, _)| Ref::from_schema_name(name).ref_location == reference.ref_location;
        match components.into_iter().find(is_meant) {
            Some((_, RefOr::T(Schema::Object(object)))) => {
                let default = reference.default.or_else(|| object.default.clone());
                RefOr::T(ObjectBuilder::from(object).default(default).into())
            }
            Some((_, schema)) => schema,
            None => RefOr::Ref(reference),
        }
    }

    fn map(self, change: impl FnOnce(RefOr<Schema>) -> RefOr<Schema>) -> Self {
        Self { schema: change(self.schema), ..self }
    }
}
