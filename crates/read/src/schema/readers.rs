//! Schemas of the readers.

use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, RefOr};

use super::{Describe, Described};
use crate::body::{Body, NestedReader};
use crate::parsers::collections::{EntriesReader, ListReader};
use crate::parsers::{
    AnyReader, BooleanReader, IdReader, IntegerReader, MapReader, StringReader, TextReader, TimestampReader, WordReader,
};
use crate::time::Timestamp;
use crate::typed_id::TypedId;

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
