//! The macro that generates code from the table of node types.

/// Generates [`Action`](super::Action) and the dispatch to node types from a list of files and structs.
macro_rules! nodes {
    ($($file:ident::$name:ident),* $(,)?) => {
        $(pub use $file::$name;)*

        /// The action of a node.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Action { $(#[doc = concat!("See `nodes/", stringify!($file), ".rs`.")] $name(Box<$name>)),* }

        /// All node types.
        pub static NODE_TYPES: &[NodeType] = &[$(NodeType::of::<$name>()),*];

        impl Action {
            /// Reads the fields of a node of this type.
            pub(super) fn read(kind: &NodeType, fields: &mut Fields<'_>) -> Option<Self> {
                $(if kind.word == $name::WORD {
                    return $name::read(fields).map(|read| Self::$name(Box::new(read)));
                })*
                None
            }

            /// Returns its entry in the table of node types.
            pub fn node_type(&self) -> NodeType {
                match self { $(Self::$name(_) => NodeType::of::<$name>()),* }
            }

            /// See [`Kind::visit`].
            pub(super) fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
                match self { $(Self::$name(node) => node.visit(interpreter, at)),* }
            }

            /// See [`Kind::resume`].
            pub(super) fn resume(&self, interpreter: &mut Interpreter<'_>, at: &str, wait: &Wait, input: Input<'_>) -> Option<NodeOutcome> {
                match self { $(Self::$name(node) => node.resume(interpreter, at, wait, input)),* }
            }

            /// See [`Kind::immediate_effects`].
            pub(super) fn immediate_effects(&self) -> Vec<ImmediateEffect> {
                match self { $(Self::$name(node) => node.immediate_effects()),* }
            }
        }
    };
}

pub(super) use nodes;
