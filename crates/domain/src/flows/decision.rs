//! By what a node chose its way, for who tries a flow out. Runs of production note no decisions.

use serde::Serialize;

use crate::conditions::Comparison;

/// By what a node chose its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decision {
    /// Of a `branch`: its conditions in their order, up to the first that holds; else none.
    pub conditions: Vec<Tested>,
    /// Of a `split`: the weights of its arms, of which the run and the node choose one; else none.
    pub weights: Vec<u64>,
}

/// A condition that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TestedCondition))]
pub struct Tested {
    /// Whether it holds.
    pub holds: bool,
    /// Its comparisons, with what was found.
    pub comparisons: Vec<Comparison>,
}

impl Decision {
    /// By conditions.
    pub fn by(conditions: Vec<Tested>) -> Self {
        Self { conditions, weights: Vec::new() }
    }

    /// By weights.
    pub fn among(weights: Vec<u64>) -> Self {
        Self { conditions: Vec::new(), weights }
    }
}
