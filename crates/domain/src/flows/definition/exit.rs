//! Exits of nodes.

/// An exit of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// The field of the node, such as `next`, or an item of a list field, such as `branches/0`.
    pub name: String,
    /// JSON pointer to it in the definition.
    pub pointer: String,
    /// ID of the next node.
    pub to: String,
}
