//! Custom fields of the contact.

use serde_json::Value;

use super::StepWriter;
use crate::contacts::ContactView;
use crate::events::{EventDraft, EventKind};
use crate::fields::{CustomFieldView, FieldValue};
use crate::ids::FieldId;
use crate::ports::{Change, FieldChange};

pub(super) fn write(step: &mut StepWriter<'_>, view: &ContactView, id: &FieldId, value: &Option<FieldValue>) {
    let context = step.context;
    let Some(field) = context.catalog.fields.iter().find(|field| field.id == *id) else { return };
    let contact = step.contact.id;
    step.set.guard(field.field_guard());
    step.set.change(match value {
        Some(value) => Change::Field(FieldChange::PutValue { contact, field: *id, value: value.clone() }),
        None => Change::Field(FieldChange::ClearValue { contact, field: *id }),
    });
    let event = EventDraft::new(EventKind::ContactFieldChanged, view)
        .with("field", &CustomFieldView::from(field))
        .with("value", &value.as_ref().map_or(Value::Null, |value| value.json.clone()))
        .with("previous", &context.contact.custom_fields.get(&field.key));
    step.tell(event);
}
