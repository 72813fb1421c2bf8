//! Where a node leads.

/// A way out of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// A field of the node such as `next`, or the place in one that is a list, such as `branches/0`.
    pub name: String,
    /// Where the definition says so: a pointer.
    pub pointer: String,
    /// The id of the node that it leads to.
    pub to: String,
}
