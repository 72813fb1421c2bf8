//! The macro that generates code from the table of effects.

/// Generates the dispatch of effects from a list of effects, their kinds and their functions.
macro_rules! effects {
    ($($name:ident $(($($part:ident),+))? => $when:ident $($write:path)?;)*) => {
        impl Effect {
            /// Whether it changes the contact.
            fn is_of_contact(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_contact $when)),* }
            }

            /// Whether the common event about the contact's row covers it.
            fn is_of_row(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_row $when)),* }
            }

            /// Writes a fact about the contact, after its row.
            fn write_fact(&self, step: &mut StepWriter<'_>, view: &ContactView) {
                match self {
                    $(Self::$name $(($($part),+))? => effects!(@fact $when $($write)?, step, view $($(, $part)+)?)),*
                }
            }

            /// Writes an act and returns its result.
            async fn act(self, step: &mut StepWriter<'_>) -> Result<ActionTrace, AttemptError> {
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
    (@act $other:ident $($write:path)?, $step:ident $(, $part:ident)*) => {{ $(let _ = $part;)* Ok(ActionTrace::default()) }};
}

pub(super) use effects;
