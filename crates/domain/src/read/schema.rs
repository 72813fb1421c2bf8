//! What readers take, as the OpenAPI document shows it: JSON Schema, made of the readers themselves.

use std::borrow::Cow;

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema};

use super::body::{Body, NestedReader};
use super::parsers::{
    AnyReader, BooleanReader, EntriesReader, IdReader, IntegerReader, ListReader, MapReader, StringReader, TextReader,
    TimestampReader, WordReader, word,
};
use super::{Input, Read, Violation};
use crate::ids::TypedId;
use crate::time::Timestamp;

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
    fn plain(schema: impl Into<Schema>) -> Self {
        Self { schema: RefOr::T(schema.into()), components: Vec::new() }
    }

    /// Any object.
    pub fn object() -> Self {
        Self::plain(ObjectBuilder::new().schema_type(Type::Object))
    }

    /// A reference to a named schema.
    pub fn named<T: ToSchema>() -> Self {
        let mut components = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut components);
        Self { schema: RefOr::Ref(Ref::from_schema_name(T::name())), components }
    }

    fn map(self, change: impl FnOnce(RefOr<Schema>) -> RefOr<Schema>) -> Self {
        Self { schema: change(self.schema), ..self }
    }
}

impl<F> Describe for StringReader<F> {
    fn describe(&self) -> Described {
        Described::plain(ObjectBuilder::new().schema_type(Type::String))
    }
}

impl Describe for TextReader {
    fn describe(&self) -> Described {
        let least = Some(*self.bounds.start()).filter(|least| *least > 0);
        let text = ObjectBuilder::new().schema_type(Type::String);
        Described::plain(text.min_length(least).max_length(Some(*self.bounds.end())))
    }
}

impl<T: TypedId + ToSchema> Describe for IdReader<T> {
    fn describe(&self) -> Described {
        Described::named::<T>()
    }
}

impl Describe for TimestampReader {
    fn describe(&self) -> Described {
        Described::named::<Timestamp>()
    }
}

impl<W, T: ToSchema, F> Describe for WordReader<W, T, F> {
    fn describe(&self) -> Described {
        Described::named::<T>()
    }
}

impl Describe for BooleanReader {
    fn describe(&self) -> Described {
        Described::plain(ObjectBuilder::new().schema_type(Type::Boolean))
    }
}

impl Describe for IntegerReader {
    fn describe(&self) -> Described {
        let (least, most) = (*self.range.start(), *self.range.end());
        let format = if i32::try_from(most).is_ok() { KnownFormat::Int32 } else { KnownFormat::Int64 };
        let number = ObjectBuilder::new().schema_type(Type::Integer).format(Some(SchemaFormat::KnownFormat(format)));
        Described::plain(number.minimum(Some(least as f64)).maximum(Some(most as f64)))
    }
}

impl Describe for AnyReader {
    fn describe(&self) -> Described {
        Described::plain(ObjectBuilder::new().schema_type(SchemaType::AnyValue))
    }
}

impl<R: Describe> Describe for ListReader<R> {
    fn describe(&self) -> Described {
        let Described { schema, components } = self.item.describe();
        let least = Some(*self.bounds.start()).filter(|least| *least > 0);
        let list = ArrayBuilder::new().items(schema).min_items(least).max_items(Some(*self.bounds.end()));
        Described { schema: RefOr::T(list.into()), components }
    }
}

impl<R: Describe> Describe for EntriesReader<R> {
    fn describe(&self) -> Described {
        let Described { schema, components } = self.value.describe();
        let names = ObjectBuilder::new().schema_type(Type::String).build();
        let entries = ObjectBuilder::new()
            .schema_type(Type::Object)
            .additional_properties(Some(AdditionalProperties::RefOr(schema)))
            .property_names(Some(names))
            .max_properties(Some(self.most));
        Described { schema: RefOr::T(entries.into()), components }
    }
}

impl<R: Describe, F, T> Describe for MapReader<R, F, T> {
    fn describe(&self) -> Described {
        self.reader.describe()
    }
}

impl<T: Body + ToSchema> Describe for NestedReader<T> {
    fn describe(&self) -> Described {
        Described::named::<T>()
    }
}

/// A reader with more to be said of what it takes than it knows itself.
#[derive(Debug, Clone, Copy)]
pub struct Annotated<R, F> {
    reader: R,
    annotate: F,
}

impl<T, R: Read<T>, F> Read<T> for Annotated<R, F> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        self.reader.read(input)
    }
}

impl<R: Describe, F: Fn(Described) -> Described> Describe for Annotated<R, F> {
    fn describe(&self) -> Described {
        (self.annotate)(self.reader.describe())
    }
}

/// One word of a closed list, which the document shows under a name of its own: for a list of which the type has more.
pub fn choice<T, F: Fn(&str) -> Option<T>>(
    name: &'static str,
    about: &'static str,
    words: &'static [&'static str],
    parse: F,
) -> DescribedReader<WordReader<&'static [&'static str], T, F>, impl Fn() -> Described> {
    described(word(words, parse), move || {
        let listed = ObjectBuilder::new().schema_type(Type::String).description(Some(about));
        let listed = listed.enum_values(Some(words.iter().copied()));
        Described {
            schema: RefOr::Ref(Ref::from_schema_name(name)),
            components: vec![(name.to_owned(), listed.into())],
        }
    })
}

/// Says of a reader that takes an object of its own making what the document shows.
pub fn described<R, F: Fn() -> Described>(reader: R, describe: F) -> DescribedReader<R, F> {
    DescribedReader { reader, describe }
}

/// See [`described`].
#[derive(Debug, Clone, Copy)]
pub struct DescribedReader<R, F> {
    reader: R,
    describe: F,
}

impl<T, R: Read<T>, F> Read<T> for DescribedReader<R, F> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        self.reader.read(input)
    }
}

impl<R, F: Fn() -> Described> Describe for DescribedReader<R, F> {
    fn describe(&self) -> Described {
        (self.describe)()
    }
}

/// What can be said of a reader beside what it knows.
pub trait Annotate: Describe + Sized {
    /// Says more of an object's or a text's schema.
    fn with(self, more: impl Fn(ObjectBuilder) -> ObjectBuilder) -> Annotated<Self, impl Fn(Described) -> Described> {
        let annotate = move |described: Described| {
            described.map(|schema| match schema {
                RefOr::T(Schema::Object(object)) => RefOr::T(more(object.into()).into()),
                other => other,
            })
        };
        Annotated { reader: self, annotate }
    }

    /// An example.
    #[allow(deprecated, reason = "as all other examples of the document are written")]
    fn example(self, example: impl Into<Value>) -> Annotated<Self, impl Fn(Described) -> Described> {
        let example = example.into();
        let annotate = move |described: Described| {
            described.map(|schema| match schema {
                RefOr::T(Schema::Object(object)) => {
                    RefOr::T(ObjectBuilder::from(object).example(Some(example.clone())).into())
                }
                RefOr::T(Schema::Array(array)) => {
                    RefOr::T(ArrayBuilder::from(array).example(Some(example.clone())).into())
                }
                other => other,
            })
        };
        Annotated { reader: self, annotate }
    }

    /// What is meant where the field is absent.
    fn default(self, default: impl Into<Value>) -> Annotated<Self, impl Fn(Described) -> Described> {
        let default = default.into();
        let annotate = move |described: Described| {
            described.map(|schema| match schema {
                RefOr::T(Schema::Object(object)) => {
                    RefOr::T(ObjectBuilder::from(object).default(Some(default.clone())).into())
                }
                RefOr::Ref(mut reference) => {
                    reference.default = Some(default.clone());
                    RefOr::Ref(reference)
                }
                other => other,
            })
        };
        Annotated { reader: self, annotate }
    }
}

impl<R: Describe> Annotate for R {}

/// How a field is there, as its method of [`Fields`](super::Fields) has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    required: bool,
    nullable: bool,
}

impl Presence {
    /// As [`Fields::required`](super::Fields::required) reads it.
    pub const fn required() -> Self {
        Self { required: true, nullable: false }
    }

    /// As [`Fields::optional`](super::Fields::optional) reads it.
    pub const fn optional() -> Self {
        Self { required: false, nullable: false }
    }

    /// As [`Fields::nullable`](super::Fields::nullable) reads it.
    pub const fn nullable() -> Self {
        Self { required: false, nullable: true }
    }

    /// As [`Fields::or_default`](super::Fields::or_default) reads it.
    pub const fn or_default() -> Self {
        Self { required: false, nullable: true }
    }

    /// As [`Fields::patch`](super::Fields::patch) reads it.
    pub const fn patch() -> Self {
        Self { required: false, nullable: true }
    }

    /// As [`Fields::present`](super::Fields::present) reads it.
    pub const fn present() -> Self {
        Self { required: true, nullable: true }
    }
}

/// The schema of a declared object, in the making.
pub struct Declared {
    object: ObjectBuilder,
    components: Vec<(String, RefOr<Schema>)>,
}

impl Declared {
    /// An object about which the lines of its doc comment tell.
    pub fn new(about: &[&str]) -> Self {
        let object = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(text_of(about))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        Self { object, components: Vec::new() }
    }

    /// With a field.
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

    /// With the fields of another object.
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

    /// With more to be said.
    pub fn with(mut self, more: impl FnOnce(ObjectBuilder) -> ObjectBuilder) -> Self {
        self.object = more(self.object);
        self
    }

    /// The schema.
    pub fn schema(self) -> RefOr<Schema> {
        self.object.into()
    }

    /// What it refers to.
    pub fn components(self) -> Vec<(String, RefOr<Schema>)> {
        self.components
    }
}

/// The lines of a doc comment as one text.
fn text_of(lines: &[&str]) -> Option<String> {
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

/// An object that is declared field by field.
pub trait Declare {
    /// Its schema, in the making.
    fn declared() -> Declared;
}

/// The schema of a declared body; see [`body!`](crate::body).
#[doc(hidden)]
#[macro_export]
macro_rules! body_schema {
    (
        $name:ident, $shown:expr, [$($about:literal)*], [$($limits:expr)?],
        $($presence:ident, $key:expr, [$($doc:literal)*], $type:ty $(, $reader:expr)?;)*
    ) => {
        impl $crate::read::schema::Declare for $name {
            fn declared() -> $crate::read::schema::Declared {
                let declared = $crate::read::schema::Declared::new(&[$($about),*]);
                $(let declared = declared.with($limits);)?
                $(let declared = $crate::body_schema!(
                    @field declared $presence $key, &[$($doc),*], $type $(, $reader)?
                );)*
                declared
            }
        }

        impl $crate::read::schema::__utoipa::PartialSchema for $name {
            fn schema() -> $crate::read::schema::RefOrSchema {
                <Self as $crate::read::schema::Declare>::declared().schema()
            }
        }

        impl $crate::read::schema::__utoipa::ToSchema for $name {
            fn name() -> $crate::read::schema::Name {
                $shown.into()
            }

            fn schemas(schemas: &mut Vec<(String, $crate::read::schema::RefOrSchema)>) {
                schemas.extend(<Self as $crate::read::schema::Declare>::declared().components());
            }
        }
    };
    (@field $declared:ident flat $key:expr, $doc:expr, $type:ty) => {
        $declared.flat(<$type as $crate::read::schema::Declare>::declared())
    };
    (@field $declared:ident $presence:ident $key:expr, $doc:expr, $type:ty, $reader:expr) => {
        $declared.field(
            $crate::read::schema::Presence::$presence(),
            $key,
            $doc,
            $crate::read::schema::Describe::describe(&$crate::read::schema::reads::<$type, _>($reader)),
        )
    };
}

/// The reader, whose type may have to be told.
#[doc(hidden)]
pub fn reads<T, R: Read<T>>(reader: R) -> R {
    reader
}
