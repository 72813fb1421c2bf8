//! Flows: automation graphs, their versions and their runs.

mod analyse;
mod awaited_kind;
mod bindings;
pub mod caller;
mod calls;
mod changes;
mod competing_triggers;
mod compiled;
mod decision;
pub mod definition;
mod draft;
mod effect;
mod execute;
mod immediate_effect;
mod interpret;
mod keyword_flows;
mod known_objects;
mod manage;
mod model;
pub mod nodes;
mod preview;
mod publish;
mod reach;
mod reachable_flows;
mod run;
mod run_end;
mod runs;
mod schedule;
mod service;
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
pub use awaited_kind::AwaitedKind;
pub use calls::{Call, Caller, MAX_CALL_DEPTH, MAX_RETURNED};
pub use changes::FlowChange;
pub use competing_triggers::CompetingTrigger;
pub use compiled::CompiledFlow;
pub use decision::{Decision, Tested};
pub use definition::{Action, Definition, Exit, Node, Reentry, Settings, Trigger};
pub(crate) use draft::note_drafts_that_name;
pub use effect::Effect;
pub use execute::RunExecutor;
pub use immediate_effect::ImmediateEffect;
pub use interpret::{
    Conditions, EvalContext, Input, MAX_VISITS, MAX_VISITS_OF_NODE, MAX_VISITS_WITHOUT_WAIT, StepEnd, StepEnvironment,
    StepResult, TracedEffect, advance, expires_at,
};
pub use known_objects::KnownObjects;
pub(crate) use known_objects::WorkspaceConditions;
pub use model::{ActiveTrigger, Flow, FlowPatch, FlowStats, FlowStatus, FlowVersion, InFlight, NewFlow, StartFlow};
pub use preview::{RenderTemplate, RenderedTemplate, TemplateService};
pub use reachable_flows::{ReachableFlow, ReachableFlows};
pub use run::{AwaitedEvent, Run, RunError, RunFilter, RunStatus, RunWithContact, TraceEntry, Wait, WaitKind};
pub(crate) use schedule::follow as follow_schedule;
pub use schedule::{Cron, FlowSchedule, InvalidCron, ScheduleExecutor};
pub use service::FlowService;
pub use start::{MAX_STARTS, RunHistory, START_RATE_WINDOW, StartOutcome, StartPlan, Startable, Starter, add_start};
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
