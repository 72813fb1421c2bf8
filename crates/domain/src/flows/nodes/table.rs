//! Makes of the two tables what would else have to be written once for each row.

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

            /// See [`Kind::warn`].
            pub(super) fn warn(&self, at: &str, findings: &mut Findings) {
                match self { $(Self::$name(node) => node.warn(at, findings)),* }
            }
        }
    };
}

/// The effects of nodes: makes [`Effect`](super::Effect), and what writes each.
macro_rules! effects {
    ($($(#[$doc:meta])* $name:ident $(($($part:ident: $type:ty),+))? => $when:ident $($write:path)?;)*) => {
        /// What is to be done.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Effect { $($(#[$doc])* $name $(($($type),+))?),* }

        impl Effect {
            /// Whether it changes the contact.
            pub(super) fn is_of_contact(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_contact $when)),* }
            }

            /// Whether the one event about the contact's row tells of it.
            pub(super) fn is_of_row(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_row $when)),* }
            }

            /// Writes a fact about the contact, whose row is written already.
            pub(super) fn write_fact(&self, step: &mut StepWriter<'_>, view: &ContactView) {
                match self {
                    $(Self::$name $(($($part),+))? => effects!(@fact $when $($write)?, step, view $($(, $part)+)?)),*
                }
            }

            /// Does an act; tells what came of it.
            pub(super) async fn act(self, step: &mut StepWriter<'_>) -> Result<Done, AttemptError> {
                match self {
                    $(Self::$name $(($($part),+))? => effects!(@act $when $($write)?, step $($(, $part)+)?)),*
                }
            }
        }
    };
    (@is_of_row row) => { true };
    (@is_of_row fact) => { false };
    (@is_of_row act) => { false };
    (@is_of_contact row) => { true };
    (@is_of_contact fact) => { true };
    (@is_of_contact act) => { false };
    (@fact fact $write:path, $step:ident, $view:ident $(, $part:ident)*) => { $write($step, $view $(, $part)*) };
    (@fact $other:ident $($write:path)?, $step:ident, $view:ident $(, $part:ident)*) => {{ $(let _ = $part;)* }};
    (@act act $write:path, $step:ident $(, $part:ident)*) => { $write($step $(, $part)*).await };
    (@act $other:ident $($write:path)?, $step:ident $(, $part:ident)*) => {{ $(let _ = $part;)* Ok(Done::default()) }};
}

pub(super) use {effects, nodes};
