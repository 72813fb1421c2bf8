//! The pure core of Tidings: the model, the rules, the use cases, and their ports.
//!
//! This crate uses no database, socket or system clock. A use case reads through query ports, decides, and passes one
//! [`store::ChangeSet`] to the [`store::Ledger`], which commits all or nothing.
//!
//! # Example
//!
//! An embedding program creates a [`Tidings`] from [`Ports`]. This one stores its data in memory:
//!
//! ```
//! use std::sync::Arc;
//!
//! use futures::executor::block_on;
//! use tidings_domain::commands::{Access, NewContact, NewWorkspace, Plan};
//! use tidings_domain::memory::MemoryStore;
//! use tidings_domain::{Ports, Tidings};
//!
//! # fn main() -> Result<(), tidings_domain::Error> {
//! let tidings = Tidings::new(Ports::in_memory(Arc::new(MemoryStore::new())));
//! block_on(async {
//!     let acme = tidings.access.create_workspace(NewWorkspace::new("Acme", Plan::Pro)).await?;
//!     let access = Access::system(acme.id);
//!     let ada = NewContact { first_name: Some("Ada".into()), ..NewContact::default() };
//!     let ada = tidings.contacts.create(&access, ada, None).await?.value;
//!     assert_eq!(ada.first_name.as_deref(), Some("Ada"));
//!     Ok(())
//! })
//! # }
//! ```
//!
//! # Façade
//!
//! Semantic versioning covers these items. A test compares them with `tests/facade.txt`.
//!
//! | Item | Content |
//! |---|---|
//! | [`Tidings`], [`TidingsSettings`] | the use cases, one service for each subject |
//! | [`Error`], [`Violation`] | their errors |
//! | [`commands`] | their arguments |
//! | [`views`] | the JSON forms of their results |
//! | [`events`] | the events that they emit |
//!
//! Create a command with `new` or `default` and set its fields. A minor version can add fields to commands and views.
//!
//! # Outside of semantic versioning
//!
//! Any version can change the other items. Programs with an own store or own ports need [`store`] and [`Environment`].
//! The modules below are public for the other crates of Tidings:
//!
//! | Subject | Modules |
//! |---|---|
//! | workspaces and people | [`access`], [`platform`], [`sandboxes`], [`audit`] |
//! | contacts | [`contacts`], [`tags`], [`fields`], [`custom_events`], [`opt_outs`], [`timeline`], [`merges`] |
//! | many contacts | [`segments`], [`conditions`], [`bulk`], [`imports`], [`erasures`], [`disclosure`] |
//! | messages | [`channels`], [`conversations`], [`media`], [`broadcasts`], [`saved_replies`], [`keywords`] |
//! | automation | [`flows`], [`sequences`], [`simulation`], [`secrets`], [`references`], [`catalog`], [`send_window`] |
//! | integration | [`webhooks`], [`events`], [`hints`], [`trial`] |
//! | work and reports | [`jobs`], [`work`], [`step_outcome`], [`turns`], [`analytics`], [`retention`] |
//! | values | [`ids`], [`time`], [`text`], [`patch`], [`outcome`], [`pagination`], [`list_filter`], [`read`] |
//! | storage | [`store`], [`ports`], [`stored`], [`memory`], [`sealing`] |

pub mod access;
pub mod analytics;
pub mod audit;
pub mod broadcasts;
pub mod bulk;
pub mod catalog;
pub mod channels;
pub mod conditions;
pub mod contacts;
pub mod conversations;
mod cooperate;
pub mod custom_events;
pub mod disclosure;
pub mod erasures;
mod error;
pub mod events;
pub mod fields;
pub mod flows;
pub mod hints;
pub mod ids;
pub mod imports;
pub mod jobs;
pub mod keywords;
pub mod list_filter;
pub mod media;
pub mod memory;
pub mod merges;
pub mod opt_outs;
pub mod outcome;
pub mod pagination;
pub mod platform;
pub mod ports;
pub mod references;
pub mod retention;
mod retry;
pub mod sandboxes;
pub mod saved_replies;
pub mod sealing;
pub mod secrets;
pub mod segments;
pub mod send_window;
pub mod sequences;
pub mod simulation;
pub mod step_outcome;
pub mod store;
pub mod stored;
pub mod tags;
pub mod text;
mod tidings;
pub mod timeline;
pub mod trial;
pub mod turns;
pub mod webhooks;
mod words;
pub mod work;

#[cfg(any(test, feature = "mocks"))]
pub mod testing;

pub use error::{Error, Violation};
pub use ports::{Environment, Ports};
pub use retry::AttemptError;
pub use tidings::{Tidings, TidingsSettings};
pub use tidings_read as read;
pub use tidings_read::{body, patch, time};
pub use tidings_tables as tables;

/// The arguments of use cases: the actor, commands, patches, filters and pages.
pub mod commands {
    #[doc(inline)]
    pub use crate::{
        access::{Access, AccountPatch, NewKey, NewWorkspace, Plan, Role, Scope},
        analytics::{Interval, OverviewRequest, RepliesRequest},
        audit::AuditFilter,
        broadcasts::{BroadcastPatch, NewBroadcast},
        bulk::{BulkAction, NewBulkOperation},
        channels::{ChannelPatch, NewChannel},
        contacts::{
            ContactFilter, ContactKey, ContactPatch, ContactRef, NewContact, NewIdentity, NewTag, OnConflict, TagRef,
        },
        conversations::{AssignedTo, Content, ConversationFilter, SendMessage},
        custom_events::{CustomEventName, NewCustomEvent},
        fields::{CustomFieldPatch, FieldRef, NewBotField, NewCustomField, Rules},
        flows::{FlowPatch, InFlight, NewFlow, RunFilter, StartFlow, StatisticsRequest},
        imports::{NewImport, OnExisting, TableOptions},
        list_filter::{ListFilter, NameFilter},
        outcome::{Done, ExpectedVersion, IdempotencyHook, Outcome},
        pagination::{Order, Page, PageRequest, SortedPage, SortedRequest},
        patch::Patch,
        platform::{Invite, NewUser, Rotation, WorkspacePatch},
        references::Deletion,
        sandboxes::{ClockMove, Goal},
        saved_replies::{NewSavedReply, SavedReplyPatch},
        secrets::PutSecret,
        segments::{Audience, NewSegment, SegmentPatch},
        sequences::{EnrollmentFilter, ExitOn, NewSequence, Reenroll, SequencePatch, Step},
        simulation::{FlowVersionRef, Script, SimulationRequest},
        tags::{NewTagCommand, TagPatch},
        timeline::TimelineRequest,
        webhooks::{CustomHeaders, DeliveryFilter, NewWebhook, PayloadForm, ReplayRange, Subscription, WebhookPatch},
    };
}

/// The JSON forms of objects, as the API shows them. Most are made from an object, such as
/// `ContactView::from(&contact)`.
pub mod views {
    #[doc(inline)]
    pub use crate::{
        access::{ApiKeyView, UserView, WorkspaceCountsView, WorkspaceDeletionView, WorkspaceRef, WorkspaceView},
        analytics::{Overview, RepliesReport},
        audit::{AuditActorView, AuditChangeView, AuditEntryView, AuditObjectView},
        broadcasts::{BroadcastPreviewView, BroadcastRecipientView, BroadcastView},
        bulk::{BulkActionView, BulkOperationView, BulkPreview},
        channels::{
            CapabilitiesView, ChannelConfigView, ChannelHealthView, ChannelView, DefaultChannelView, MessagePreview,
            UnparsedRequestView,
        },
        contacts::{ContactView, DeletedContactView, IdentityOptOut, IdentityView, TagLinkView},
        conversations::{
            AttachmentView, Choice, ConversationView, DirectionView, InboxCounts, MessageEdit, MessageErrorView,
            MessagePartView, MessageReaction, MessageStatusView, MessageView, Referral, StatusChangeView, Thread,
        },
        custom_events::CustomEventView,
        erasures::ErasureView,
        fields::{BotFieldView, CustomFieldView},
        flows::{
            Analysis, Finding, FlowStatistics, FlowStatsView, FlowSummaryView, FlowVersionView, FlowView, RunErrorView,
            RunView, TraceEntryView, WaitView,
        },
        imports::{ImportCheck, ImportCountsView, ImportView, RejectedCellView, RejectedRowView},
        jobs::{JobView, SubjectView},
        media::MediaView,
        platform::{AssigneeView, MemberView},
        references::LostReferenceView,
        sandboxes::ClockView,
        saved_replies::SavedReplyView,
        secrets::SecretView,
        segments::SegmentView,
        sequences::{EnrollmentErrorView, EnrollmentView, ReenrollView, SequenceView, StepRecordView, StepView},
        simulation::{Simulated, SimulatedRun, Simulation},
        tags::TagView,
        timeline::TimelineEntryView,
        trial::TrialView,
        webhooks::{AttemptView, DeliveryDetailView, DeliveryView, ReplayView, WebhookView},
    };
}
