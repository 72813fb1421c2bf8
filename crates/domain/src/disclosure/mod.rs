//! Disclosure: all stored data of a contact, read part by part.

mod reader;
#[cfg(test)]
mod tests;
mod view;

pub use reader::{DisclosedPart, DisclosureReader, DisclosureService};
#[cfg(feature = "openapi")]
pub use view::DisclosureView;
