//! Flows: automation graphs, their versions and their runs.

mod analyse;
mod awaited;
mod bindings;
pub mod caller;
mod calls;
mod changes;
mod compiled;
mod decision;
pub mod definition;
mod draft;
mod effect;
mod ends;
mod execute;
mod interpret;
mod known;
mod manage;
mod model;
mod neighbours;
pub mod nodes;
mod preview;
mod reach;
mod rivals;
mod run;
mod runs;
mod schedule;
mod service;
mod sets_off;
pub mod start;
mod statistics;
mod status;
mod template;
mod text_names;
mod trigger;
mod view;
mod words;

#[cfg(test)]
pub(crate) use analyse::promise_tests as generated;
pub use analyse::{Analysis, Finding, Severity, analyse, has_refused_texts, misuses_secrets};
pub use awaited::Awaited;
pub use bindings::{bind_definition, mentions_of};
pub use calls::{Call, Caller, MAX_CALL_DEPTH, MAX_RETURNED};
pub use changes::FlowChange;
pub use compiled::CompiledFlow;
pub use decision::{Decision, Tested};
pub use definition::{Action, Definition, Exit, Node, Reentry, Settings, Trigger};
pub(crate) use draft::note_drafts_that_name;
pub use effect::Effect;
pub use execute::RunExecutor;
pub use interpret::{
    Advance, Conditions, Ending, EvalContext, Input, MAX_VISITS, MAX_VISITS_OF_NODE, MAX_VISITS_WITHOUT_WAIT,
    StepEnvironment, TracedEffect, advance, expires_at,
};
pub use known::Known;
pub(crate) use known::WorkspaceConditions;
pub use model::{ActiveTrigger, Flow, FlowPatch, FlowStats, FlowStatus, FlowVersion, InFlight, NewFlow, StartFlow};
pub use neighbours::{Neighbour, Neighbours};
pub use preview::{RenderTemplate, RenderedTemplate, TemplateService};
pub use rivals::Rival;
pub use run::{AwaitedEvent, Run, RunError, RunFilter, RunStatus, RunWithContact, TraceEntry, Wait, WaitKind};
pub(crate) use schedule::follow as follow_schedule;
pub use schedule::{Cron, FlowSchedule, InvalidCron, ScheduleExecutor};
pub use service::FlowService;
pub use sets_off::SetsOff;
pub use start::{Earlier, MAX_STARTS, START_RATE_WINDOW, StartPlan, Startable, Started, Starter, add_start};
pub use statistics::{
    FlowStatistics, LONGEST_SPAN, MOST_WAITING, NodeCount, NodeStatistics, NodeTally, NodeVisit, Passage,
    StatisticsRequest, hour_of,
};
pub use template::{Template, TemplateError};
pub(crate) use text_names::TextNames;
pub use trigger::EventTriggers;
pub(crate) use trigger::event_in_templates;
pub use view::{
    FlowStatsView, FlowSummaryView, FlowVersionView, FlowView, RunErrorView, RunView, TraceEntryView, WaitView,
};
pub use words::Words;
pub(crate) use words::rendered;
