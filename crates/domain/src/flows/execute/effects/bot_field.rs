//! Bot fields of the workspace.

use super::{ActionTrace, StepWriter};
use crate::fields::BotField;
use crate::ports::{Change, Row};
use crate::retry::AttemptError;

pub(super) async fn write(step: &mut StepWriter<'_>, field: BotField) -> Result<ActionTrace, AttemptError> {
    step.set.change(Change::Update(Row::Stored(field.into())));
    Ok(ActionTrace::default())
}
