//! Attributes in partial updates.

/// An attribute in an update: absent, `null` or a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Absent: the attribute does not change.
    #[default]
    Keep,
    /// `null`: the attribute is cleared.
    Clear,
    /// The new value.
    Set(T),
}

impl<T> Patch<T> {
    /// Returns the attribute after the update.
    pub fn apply(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Returns the attribute after the update, if `null` is not a valid value and changes nothing.
    pub fn apply_required(self, current: T) -> T {
        match self {
            Self::Set(value) => value,
            Self::Keep | Self::Clear => current,
        }
    }

    /// Converts the new value.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(map(value)),
        }
    }
}
