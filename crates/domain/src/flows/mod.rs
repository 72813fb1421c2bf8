//! Flows: automation graphs, their versions, and the runs through them.

mod analyse;
mod definition;
mod execute;
mod interpret;
mod model;
mod service;
mod template;
mod view;

pub use definition::{Action, Definition, Node};
pub use execute::RunExecutor;
pub use interpret::{Advance, Effect, Ending, World, advance};
pub use model::{
    Flow, FlowPatch, FlowStatus, FlowVersion, NewFlow, Run, RunError, RunStatus, StartFlow, TraceEntry, Wait,
};
pub use service::FlowService;
pub use template::{Template, TemplateError};
pub use view::{FlowView, RunErrorView, RunView, TraceEntryView, WaitKind, WaitView};
