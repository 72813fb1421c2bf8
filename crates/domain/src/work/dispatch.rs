//! Runs each kind of job, and settles its subject when it is dead-lettered. The table of jobs declares both.

use std::mem;
use std::sync::Arc;

use super::{Relay, Worker, follow_up_job};
use crate::access::Access;
use crate::broadcasts::{BroadcastCloser, BroadcastStarter, PortionSender};
use crate::bulk::BulkExecutor;
use crate::channels::ChannelChecker;
use crate::conversations::{
    CatchUp, ChannelPoller, ContactPlayer, ConversationWaker, InboundRouter, MediaFetcher, MessageSender, OptOutWords,
    OutcomeLookUp,
};
use crate::erasures::Eraser;
use crate::error::Error;
use crate::fields::FieldSweeper;
use crate::flows::{RunExecutor, ScheduleExecutor};
use crate::imports::Importer;
use crate::merges::Merger;
use crate::ports::{ChangeSet, ClaimedJob, Job, Ports, StoreError, for_each_job};
use crate::segments::SegmentCounter;
use crate::sequences::{EnrollmentExecutor, SequenceReviewer};
use crate::tags::TagSweeper;
use crate::webhooks::{DeliveryExecutor, Replayer};

/// A job, with the values that its declaration uses.
struct JobContext<'a> {
    worker: &'a Worker,
    access: Access,
    job: &'a ClaimedJob,
}

impl<'a> JobContext<'a> {
    fn new(worker: &'a Worker, job: &'a ClaimedJob) -> Self {
        Self { worker, access: Access::system(job.workspace), job }
    }

    fn ports(&self) -> Arc<Ports> {
        self.worker.ports.clone()
    }

    fn words(&self) -> OptOutWords {
        self.worker.words.clone()
    }

    fn deliveries(&self) -> DeliveryExecutor {
        DeliveryExecutor { ports: self.ports(), schedule: self.worker.schedule.clone() }
    }

    /// Queues the same job again, after a delay.
    fn follow_up(&self, set: &mut ChangeSet) {
        set.jobs.push(follow_up_job(self.job.job, &self.worker.ports));
    }
}

macro_rules! dispatch {
    ([] [$(
        $(#[$doc:meta])*
        $variant:ident { $subject:ident: $id:ident $(as $own:ident)? $(, $part:ident: $type:ty as $role:ident)* }
            = $word:literal in $pool:ident of $object:literal $(, settled $advice:literal)? {
            run |$it:ident| $run:expr,
            bury |$buried:ident, $set:ident| $bury:block
        }
    )*]) => {
        impl Worker {
            /// Runs a job of any kind. The futures of the kinds are boxed, because the future of each caller would
            /// be as large as the largest one.
            #[allow(unused_variables, reason = "few jobs use all their parts")]
            pub(super) async fn run(&self, job: &ClaimedJob) -> Result<(), Error> {
                let context = JobContext::new(self, job);
                match job.job {
                    $(Job::$variant { $subject $(, $part)* } => {
                        let $it = &context;
                        Box::pin(async move { $run }).await
                    })*
                }
            }

            /// Adds the effect of a dead-lettered job on its subject to a change set.
            #[allow(unused_variables, reason = "few jobs use all their parts")]
            pub(super) async fn settle(&self, job: &ClaimedJob, set: &mut ChangeSet) -> Result<(), StoreError> {
                let context = JobContext::new(self, job);
                match job.job {
                    $(Job::$variant { $subject $(, $part)* } => {
                        let ($buried, $set) = (&context, set);
                        $bury
                    })*
                }
                Ok(())
            }
        }
    };
}

for_each_job!(dispatch {});
