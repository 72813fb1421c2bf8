//! JSON Schema of readers for the OpenAPI description, built from the readers themselves.

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

/// A schema with the named schemas that it refers to.
#[derive(Clone)]
pub struct Described {
    /// The schema.
    pub schema: RefOr<Schema>,
    /// The named schemas.
    pub components: Vec<(String, RefOr<Schema>)>,
}

/// A reader that can describe its input.
pub trait Describe {
    /// Returns the schema of its input.
    fn describe(&self) -> Described;
}

impl Described {
    /// Creates a schema that refers to no other.
    pub fn plain(schema: impl Into<Schema>) -> Self {
        Self { schema: RefOr::T(schema.into()), components: Vec::new() }
    }

    /// A schema of any object.
    pub fn object() -> Self {
        let any = AdditionalProperties::FreeForm(true);
        Self::plain(ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(any)))
    }

    /// Creates a reference to a named schema.
    pub fn named<T: ToSchema>() -> Self {
        let mut components = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut components);
        Self { schema: RefOr::Ref(Ref::from_schema_name(T::name())), components }
    }

    /// The schema itself instead of a reference, for places that need it inline.
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
