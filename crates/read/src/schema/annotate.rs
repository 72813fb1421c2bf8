//! Additions to the schemas of readers.

use serde_json::Value;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema};

use super::{Describe, Described};
use crate::parsers::{WordReader, word};
use crate::{Input, Read, Violation};

/// A reader with an addition to its schema.
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

/// A word of a fixed list, as a separate named schema: for a subset of the words of a type.
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

/// Sets the schema of a reader that cannot describe its input.
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

/// Methods that add to the schema of a reader.
pub trait Annotate: Describe + Sized {
    /// Modifies the schema of an object or a string.
    fn with(self, more: impl Fn(ObjectBuilder) -> ObjectBuilder) -> Annotated<Self, impl Fn(Described) -> Described> {
        let annotate = move |described: Described| {
            described.map(|schema| match schema {
                RefOr::T(Schema::Object(object)) => RefOr::T(more(object.into()).into()),
                other => other,
            })
        };
        Annotated { reader: self, annotate }
    }

    /// Sets an example.
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

    /// Sets the default of an absent field.
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
