//! Groups values of one kind.

/// A value that can be joined with others of its kind.
pub(super) trait Grouped: Sized {
    /// Whether both values are of the same kind.
    fn is_like(&self, other: &Self) -> bool;

    /// Appends a value of the same kind. Returns a value of a different kind.
    fn join(&mut self, other: Self) -> Option<Self>;
}

impl<T> Grouped for Vec<T> {
    fn is_like(&self, _: &Self) -> bool {
        true
    }

    fn join(&mut self, mut other: Self) -> Option<Self> {
        self.append(&mut other);
        None
    }
}

/// Declares an enum with a variant for each kind, and how its values are joined. The matches have an arm for each
/// variant.
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident<$borrowed:lifetime> { $($(#[$doc:meta])* $kind:ident($rows:ty),)+ }
    ) => {
        $(#[$meta])*
        $vis enum $name<$borrowed> { $($(#[$doc])* $kind($rows),)+ }

        impl $crate::write::grouping::Grouped for $name<'_> {
            fn is_like(&self, other: &Self) -> bool {
                match other {
                    $(Self::$kind(other) => if let Self::$kind(it) = self { it.is_like(other) } else { false },)+
                }
            }

            fn join(&mut self, other: Self) -> Option<Self> {
                match other {
                    $(Self::$kind(other) => {
                        let Self::$kind(it) = self else { return Some(Self::$kind(other)) };
                        it.join(other).map(Self::$kind)
                    })+
                }
            }
        }
    };
}

pub(super) use kinds;
