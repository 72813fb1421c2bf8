//! The reasons for the exits of nodes. Only simulations record them; production runs do not.

use serde::Serialize;

use crate::conditions::Comparison;

/// The reason for the exit of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decision {
    /// For a `branch`: its conditions in order, up to the first that matches; otherwise empty.
    pub conditions: Vec<Tested>,
    /// For a `split`: the weights of its arms; the run and the node select one arm. Otherwise empty.
    pub weights: Vec<u64>,
}

/// An evaluated condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TestedCondition))]
pub struct Tested {
    /// Whether it matched.
    pub holds: bool,
    /// Its comparisons, with the actual values.
    pub comparisons: Vec<Comparison>,
}

impl Decision {
    /// Creates the decision of a `branch`.
    pub fn by(conditions: Vec<Tested>) -> Self {
        Self { conditions, weights: Vec::new() }
    }

    /// Creates the decision of a `split`.
    pub fn among(weights: Vec<u64>) -> Self {
        Self { conditions: Vec::new(), weights }
    }
}
