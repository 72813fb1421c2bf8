use std::fmt;

/// The reason why a node did not write a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::flows::nodes) enum WriteRejection {
    /// The workspace no longer has this field; contains its name in templates.
    MissingField(String),
    /// The value is not accepted, for this reason.
    Rejected(String),
}

impl fmt::Display for WriteRejection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingField(name) => write!(out, "the field does not exist: {name}"),
            Self::Rejected(why) => out.write_str(why),
        }
    }
}

impl From<String> for WriteRejection {
    fn from(why: String) -> Self {
        Self::Rejected(why)
    }
}

impl From<&str> for WriteRejection {
    fn from(why: &str) -> Self {
        Self::Rejected(why.to_owned())
    }
}
