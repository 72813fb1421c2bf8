//! Wrappers of expressions that only change their SQL text.

/// Implements the traits that Diesel requires of such a wrapper, except its SQL text.
macro_rules! delegates_to_inner {
    ($name:ident) => {
        impl<E: ::diesel::expression::Expression> ::diesel::expression::Expression for $name<E> {
            type SqlType = E::SqlType;
        }

        impl<E, S> ::diesel::expression::AppearsOnTable<S> for $name<E>
        where
            E: ::diesel::expression::AppearsOnTable<S>,
            Self: ::diesel::expression::Expression,
        {
        }

        impl<E, S> ::diesel::expression::SelectableExpression<S> for $name<E>
        where
            E: ::diesel::expression::SelectableExpression<S>,
            Self: ::diesel::expression::AppearsOnTable<S>,
        {
        }

        impl<E, G> ::diesel::expression::ValidGrouping<G> for $name<E>
        where
            E: ::diesel::expression::ValidGrouping<G>,
        {
            type IsAggregate = E::IsAggregate;
        }
    };
}

pub(crate) use delegates_to_inner;
