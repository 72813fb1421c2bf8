//! Expressions that are written otherwise than the one in them, and are like it in all else.

/// What Diesel asks of such an expression beside how it is written.
macro_rules! wraps {
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

pub(crate) use wraps;
