//! What a merging update says about one attribute.

/// An attribute in an update: absent, `null` or a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Absent: it stays as it is.
    #[default]
    Keep,
    /// `null`: it is cleared.
    Clear,
    /// It becomes this.
    Set(T),
}

impl<T> Patch<T> {
    /// The attribute after the update.
    pub fn apply(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// The attribute after the update, where `null` is not a value and so changes nothing.
    pub fn apply_required(self, current: T) -> T {
        match self {
            Self::Set(value) => value,
            Self::Keep | Self::Clear => current,
        }
    }

    /// The same word about a value made by `map`.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(map(value)),
        }
    }
}
