//! Makes of the table of effects what would else have to be written once for each row.

/// What writes each effect, and when.
macro_rules! effects {
    ($($name:ident $(($($part:ident),+))? => $when:ident $($write:path)?;)*) => {
        impl Effect {
            /// Whether it changes the contact.
            fn is_of_contact(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_contact $when)),* }
            }

            /// Whether the one event about the contact's row tells of it.
            fn is_of_row(&self) -> bool {
                match self { $(Self::$name { .. } => effects!(@is_of_row $when)),* }
            }

            /// Writes a fact about the contact, whose row is written already.
            fn write_fact(&self, step: &mut StepWriter<'_>, view: &ContactView) {
                match self {
                    $(Self::$name $(($($part),+))? => effects!(@fact $when $($write)?, step, view $($(, $part)+)?)),*
                }
            }

            /// Does an act; tells what came of it.
            async fn act(self, step: &mut StepWriter<'_>) -> Result<Done, AttemptError> {
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

pub(super) use effects;
