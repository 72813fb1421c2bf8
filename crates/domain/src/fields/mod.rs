//! Custom fields, with values per contact, and bot fields, with one value per workspace.

mod bot;
mod bot_service;
mod changes;
mod filter;
mod kind;
mod model;
mod options;
mod pattern;
mod retire;
mod service;
mod sweep;
#[cfg(test)]
mod tests;
mod values;

pub use bot::{BotField, BotFieldView, NewBotField};
pub use bot_service::BotFieldService;
pub use changes::FieldChange;
pub use filter::Comparison;
pub use kind::{FieldKind, Rules};
pub use model::{CustomField, CustomFieldPatch, CustomFieldView, FieldRef, NewCustomField};
pub use options::without_retired;
pub use service::FieldService;
pub use sweep::FieldSweeper;
pub(crate) use values::number_key;
pub use values::{FieldValue, InvalidValue, check_value, cut_key, element_key, empty_list_key, long_text};
