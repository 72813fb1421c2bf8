//! Schemas of declared objects.

use std::borrow::Cow;

use utoipa::openapi::schema::{AdditionalProperties, SchemaType, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, RefOr, Schema};

use super::Described;
use crate::Read;

/// Whether a field is required or nullable, by its method of [`Fields`](crate::Fields).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    required: bool,
    nullable: bool,
}

impl Presence {
    /// For [`Fields::required`](crate::Fields::required).
    pub const fn required() -> Self {
        Self { required: true, nullable: false }
    }

    /// For [`Fields::optional`](crate::Fields::optional).
    pub const fn optional() -> Self {
        Self { required: false, nullable: false }
    }

    /// For [`Fields::nullable`](crate::Fields::nullable).
    pub const fn nullable() -> Self {
        Self { required: false, nullable: true }
    }

    /// For [`Fields::or_default`](crate::Fields::or_default).
    pub const fn or_default() -> Self {
        Self { required: false, nullable: true }
    }

    /// For [`Fields::patch`](crate::Fields::patch).
    pub const fn patch() -> Self {
        Self { required: false, nullable: true }
    }

    /// For [`Fields::present`](crate::Fields::present).
    pub const fn present() -> Self {
        Self { required: true, nullable: true }
    }

    /// For [`Fields::given`](crate::Fields::given). If `null` is accepted, the reader describes it.
    pub const fn given() -> Self {
        Self { required: false, nullable: false }
    }
}

/// A builder of the schema of a declared object.
pub struct Declared {
    object: ObjectBuilder,
    components: Vec<(String, RefOr<Schema>)>,
}

impl Declared {
    /// Creates an object schema with the lines of a doc comment as its description.
    pub fn new(about: &[&str]) -> Self {
        let object = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(text_of(about))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        Self { object, components: Vec::new() }
    }

    /// Adds a field.
    pub fn field(mut self, presence: Presence, name: &str, about: &[&str], described: Described) -> Self {
        let Described { schema, components } = described;
        let schema = explained(schema, text_of(about));
        self.object = self.object.property(name, if presence.nullable { or_null(schema) } else { schema });
        if presence.required {
            self.object = self.object.required(name);
        }
        self.components.extend(components);
        self
    }

    /// Adds the fields of another object.
    pub fn flat(mut self, other: Self) -> Self {
        let others = other.object.build();
        for (name, schema) in others.properties {
            self.object = self.object.property(name, schema);
        }
        for name in others.required {
            self.object = self.object.required(name);
        }
        self.components.extend(other.components);
        self
    }

    /// Adds a discriminator field with this word as its only value.
    pub fn told_apart(mut self, name: &str, word: &str) -> Self {
        let word = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word]));
        self.object = self.object.property(name, word).required(name);
        self
    }

    /// Modifies the object schema.
    pub fn with(mut self, more: impl FnOnce(ObjectBuilder) -> ObjectBuilder) -> Self {
        self.object = more(self.object);
        self
    }

    /// The schema.
    pub fn schema(self) -> RefOr<Schema> {
        self.object.into()
    }

    /// The named schemas that it refers to.
    pub fn components(self) -> Vec<(String, RefOr<Schema>)> {
        self.components
    }
}

/// Joins the lines of a doc comment.
pub fn text_of(lines: &[&str]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    Some(lines.join("\n")).filter(|text| !text.is_empty())
}

fn explained(schema: RefOr<Schema>, about: Option<String>) -> RefOr<Schema> {
    match schema {
        RefOr::Ref(mut reference) => {
            reference.description = about.unwrap_or_default();
            RefOr::Ref(reference)
        }
        RefOr::T(Schema::Object(object)) => RefOr::T(ObjectBuilder::from(object).description(about).into()),
        RefOr::T(Schema::Array(array)) => RefOr::T(ArrayBuilder::from(array).description(about).into()),
        RefOr::T(other) => RefOr::T(other),
    }
}

fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let with_null = |kind: &SchemaType| match kind {
        SchemaType::Type(one) => SchemaType::from_iter([one.clone(), Type::Null]),
        SchemaType::Array(several) => several.iter().cloned().chain([Type::Null]).collect(),
        SchemaType::AnyValue => SchemaType::AnyValue,
    };
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.schema_type = with_null(&object.schema_type);
            RefOr::T(Schema::Object(object))
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.schema_type = with_null(&array.schema_type);
            RefOr::T(Schema::Array(array))
        }
        other => {
            let null = ObjectBuilder::new().schema_type(Type::Null);
            RefOr::T(OneOfBuilder::new().item(other).item(null).into())
        }
    }
}

/// The name of a component.
pub type Name = Cow<'static, str>;
/// A schema, or a reference to one.
pub type RefOrSchema = RefOr<Schema>;

#[doc(hidden)]
pub use utoipa as __utoipa;

/// Builds the schema of an object with variants.
pub fn one_of(about: &[&str], declared: impl IntoIterator<Item = Declared>) -> RefOr<Schema> {
    let one_of = OneOfBuilder::new().description(text_of(about));
    let objects = declared.into_iter().map(Declared::schema);
    RefOr::T(objects.fold(one_of, OneOfBuilder::item).into())
}

/// A declared object.
pub trait Declare {
    /// Returns the builder of its schema.
    fn declared() -> Declared;
}

/// The schema of a declared body; see [`body!`](crate::body!).
#[doc(hidden)]
#[macro_export]
macro_rules! body_schema {
    (enum $name:ident, [$($about:literal)*], $key:literal, $($word:literal => $body:ty,)*) => {
        impl $crate::schema::__utoipa::PartialSchema for $name {
            fn schema() -> $crate::schema::RefOrSchema {
                $crate::schema::one_of(&[$($about),*], [
                    $(<$body as $crate::schema::Declare>::declared().told_apart($key, $word)),*
                ])
            }
        }

        impl $crate::schema::__utoipa::ToSchema for $name {
            fn schemas(schemas: &mut Vec<(String, $crate::schema::RefOrSchema)>) {
                $(schemas.extend(<$body as $crate::schema::Declare>::declared().components());)*
            }
        }
    };
    (
        $name:ident, $shown:expr, [$($about:literal)*], [$($limits:expr)?],
        $($presence:ident, $key:expr, [$($doc:literal)*], $type:ty $(, $reader:expr)?;)*
    ) => {
        impl $crate::schema::Declare for $name {
            fn declared() -> $crate::schema::Declared {
                let declared = $crate::schema::Declared::new(&[$($about),*]);
                $(let declared = declared.with($limits);)?
                $(let declared = $crate::body_schema!(
                    @field declared $presence $key, &[$($doc),*], $type $(, $reader)?
                );)*
                declared
            }
        }

        impl $crate::schema::__utoipa::PartialSchema for $name {
            fn schema() -> $crate::schema::RefOrSchema {
                <Self as $crate::schema::Declare>::declared().schema()
            }
        }

        impl $crate::schema::__utoipa::ToSchema for $name {
            fn name() -> $crate::schema::Name {
                $shown.into()
            }

            fn schemas(schemas: &mut Vec<(String, $crate::schema::RefOrSchema)>) {
                schemas.extend(<Self as $crate::schema::Declare>::declared().components());
            }
        }
    };
    (@field $declared:ident flat $key:expr, $doc:expr, $type:ty) => {
        $declared.flat(<$type as $crate::schema::Declare>::declared())
    };
    (@field $declared:ident $presence:ident $key:expr, $doc:expr, $type:ty, $reader:expr) => {
        $declared.field(
            $crate::schema::Presence::$presence(),
            $key,
            $doc,
            $crate::schema::Describe::describe(&$crate::schema::reads::<$type, _>($reader)),
        )
    };
}

/// Returns the reader; fixes the type of its result.
#[doc(hidden)]
pub fn reads<T, R: Read<T>>(reader: R) -> R {
    reader
}
