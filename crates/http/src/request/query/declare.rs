//! Declarations of parameters, for both reading and the OpenAPI document.

use utoipa::openapi::path::Parameter;

use super::Query;

/// Query parameters that are declared with `parameters!`.
pub trait Parameters: Sized {
    /// Reads the parameters. Errors are recorded in the query.
    fn read(query: &mut Query) -> Self;

    /// Returns the parameters in the OpenAPI document.
    fn shown() -> Vec<Parameter>;
}

/// Declares query parameters and their readers. Generates the struct, its [`Parameters`] and its `utoipa::IntoParams`:
/// the OpenAPI document shows exactly the parameters that are read.
///
/// ```ignore
/// parameters! {
///     /// The filters; all must hold.
///     struct OrderFilters {
///         /// With this status.
///         one status: OrderStatus = word(&OrderStatus::WORDS, OrderStatus::parse);
///         /// With this label; repeated: all of them.
///         many labels as "label": String = text(1..=100), 20;
///     }
/// }
/// ```
///
/// A parameter starts with the method of [`Query`] that reads it: `one`, `many` or `prefixed`. For `many` and
/// `prefixed`, the maximum number follows the reader. `flat` includes other [`Parameters`]. `as` sets a name that
/// differs from the field's; for `prefixed`, it is the prefix.
macro_rules! parameters {
    (
        $(#[doc = $about:literal])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $method:ident $field:ident $(as $key:tt)?: $type:ty $(= $reader:expr $(, $most:expr)?)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        $vis struct $name {
            $($(#[doc = $doc])* $vis $field: $crate::request::query::parameters!(@type $method $type),)*
        }

        impl $crate::request::query::Parameters for $name {
            fn read(query: &mut $crate::request::query::Query) -> Self {
                $(let $field = $crate::request::query::parameters!(
                    @read query $method $crate::request::query::parameters!(@key $field $($key)?), $type $(, $reader $(, $most)?)?
                );)*
                Self { $($field,)* }
            }

            fn shown() -> Vec<utoipa::openapi::path::Parameter> {
                let mut shown = Vec::new();
                $(shown.extend($crate::request::query::parameters!(
                    @shown $method ($field $($key)?), &[$($doc),*], $type $(, $reader $(, $most)?)?
                ));)*
                shown
            }
        }

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                <Self as $crate::request::query::Parameters>::shown()
            }
        }
    };
    (@type one $type:ty) => { Option<$type> };
    (@type many $type:ty) => { Vec<$type> };
    (@type prefixed $type:ty) => { Vec<(String, $type)> };
    (@type flat $type:ty) => { $type };
    (@read $query:ident flat $key:expr, $type:ty) => { <$type as $crate::request::query::Parameters>::read($query) };
    (@read $query:ident $method:ident $key:expr, $type:ty, $reader:expr $(, $most:expr)?) => {
        $query.$method::<$type>($key, &$reader $(, $most)?)
    };
    (@shown flat ($field:ident), $doc:expr, $type:ty) => { <$type as $crate::request::query::Parameters>::shown() };
    (@shown $method:ident ($($key:tt)+), $doc:expr, $type:ty, $reader:expr $(, $most:expr)?) => {
        [$crate::request::query::parameter_docs::$method(
            $crate::request::query::parameters!(@key $($key)+),
            $doc,
            tidings_domain::read::schema::reads::<$type, _>($reader)
            $(, $most)?
        )]
    };
    (@key $field:ident $key:tt) => { $key };
    (@key $field:ident) => { stringify!($field) };
}

pub(crate) use parameters;
