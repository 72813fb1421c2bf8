//! Makes of the table of nodes what would else have to be written once for each row.

/// The kinds of nodes, by file and struct: makes [`Action`](super::Action), and what finds the kind of an action.
macro_rules! nodes {
    ($($file:ident::$name:ident),* $(,)?) => {
        $(pub use $file::$name;)*

        /// What a node does.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Action { $(#[doc = concat!("See `nodes/", stringify!($file), ".rs`.")] $name(Box<$name>)),* }

        /// All types of nodes.
        pub static NODE_TYPES: &[NodeType] = &[$(NodeType::of::<$name>()),*];

        impl Action {
            /// Reads the fields of a node of this type.
            pub(super) fn read(kind: &NodeType, fields: &mut Fields<'_>) -> Option<Self> {
                $(if kind.word == $name::WORD {
                    return $name::read(fields).map(|read| Self::$name(Box::new(read)));
                })*
                None
            }

            /// The row of the table of node types.
            pub fn node_type(&self) -> NodeType {
                match self { $(Self::$name(_) => NodeType::of::<$name>()),* }
            }

            /// See [`Kind::visit`].
            pub(super) fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> Turn {
                match self { $(Self::$name(node) => node.visit(interpreter, at)),* }
            }

            /// See [`Kind::resume`].
            pub(super) fn resume(&self, interpreter: &mut Interpreter<'_>, at: &str, wait: &Wait, input: Input<'_>) -> Option<Turn> {
                match self { $(Self::$name(node) => node.resume(interpreter, at, wait, input)),* }
            }

            /// See [`Kind::sets_off`].
            pub(super) fn sets_off(&self) -> Vec<SetsOff> {
                match self { $(Self::$name(node) => node.sets_off()),* }
            }
        }
    };
}

pub(super) use nodes;
