//! Tests of scheduled flows.

mod aside;

use serde_json::Value;

use super::*;
use crate::access::ActorKind;
use crate::contacts::{Contact, NewTag, TagRef, TimeZone};
use crate::flows::{FlowPatch, FlowSchedule, FlowStatus};
use crate::ids::{ContactId, FlowId};
use crate::platform::WorkspacePatch;
use crate::ports::{FlowQueries, Job};
use crate::time::Timestamp;

/// Returns a flow that fires each morning for German-speaking contacts.
fn daily() -> Value {
    scheduled(json!([{"type": "schedule", "cron": "0 9 * * *", "audience": german()}]))
}

fn german() -> Value {
    json!({"field": "locale", "op": "eq", "value": "de"})
}

fn scheduled(triggers: Value) -> Value {
    json!({"triggers": triggers, "start": "end", "nodes": [{"id": "end", "type": "end"}]})
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

impl Bench {
    fn speaker(&self) -> Contact {
        let new = NewContact { locale: "de".parse().ok(), ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value
    }

    /// Runs all jobs due until this time, each when it is due.
    fn go_to(&self, until: &str) {
        let until = at(until);
        while let Some(due) = block_on(self.store.next_due(Pool::Work)).unwrap().filter(|due| *due <= until) {
            self.clock.set(due.max(self.clock.now()));
            self.finish_due_work();
        }
        self.clock.set(until);
    }

    fn began(&self) -> Vec<(String, ContactId)> {
        let runs: Vec<_> = self.runs().into_iter().filter(|run| !run.is_refused()).collect();
        assert!(runs.iter().all(|run| run.started_by.kind == ActorKind::Schedule));
        runs.iter().map(|run| (run.started_at.to_string().replace(":00.000Z", ""), run.contact)).collect()
    }

    fn days(&self) -> Vec<String> {
        self.began().into_iter().map(|(at, _)| at).collect()
    }

    fn planned(&self, flow: FlowId) -> FlowSchedule {
        block_on(self.store.schedule(&self.access, flow)).unwrap().unwrap()
    }

    fn becomes(&self, flow: FlowId, status: FlowStatus) {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    }

    fn publishes(&self, flow: FlowId, definition: Value) {
        let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
        block_on(self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None)).unwrap();
    }

    fn lives_in(&self, zone: &str) {
        let patch = WorkspacePatch { time_zone: zone.parse::<TimeZone>().ok(), ..WorkspacePatch::default() };
        block_on(self.tidings.platform.update_workspace(&self.access, patch, &ExpectedVersion::Any)).unwrap();
    }

    /// Runs the due firings only, also of superseded schedules.
    fn fires(&self) {
        for job in self.claimed().iter().filter(|job| matches!(job.job, Job::FireSchedule { .. })) {
            block_on(self.tidings.worker.perform(job)).unwrap();
        }
    }

    fn frozen(&self, flow: FlowId) -> usize {
        block_on(self.store.recipients(&self.access, flow, 1_000)).unwrap().len()
    }
}

#[test]
fn fires_each_day_for_the_audience_of_that_day() {
    let bench = bench();
    bench.contact();
    let (ada, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.go_to("2026-01-02T08:59:59Z");
    assert_eq!(bench.began(), [("2026-01-01T09:00".into(), ada.id)]);
    let bob = bench.speaker();
    bench.go_to("2026-01-02T12:00:00Z");
    let second = "2026-01-02T09:00".to_owned();
    assert_eq!(bench.began()[1..], [(second.clone(), ada.id), (second, bob.id)]);
    let runs = bench.runs();
    assert_eq!(runs[0].started_by.id, Some(flow.to_string()));
    assert_eq!((runs[0].depth, runs[0].status), (1, RunStatus::Completed));
    assert_eq!(bench.frozen(flow), 0);
}

#[test]
fn makes_up_for_the_last_missed_firing_only() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.clock.set(at("2026-03-05T10:11:00Z"));
    bench.finish_due_work();
    assert_eq!(bench.days(), ["2026-03-05T10:11"], "the missed firing happens once, late");
    assert_eq!(bench.planned(flow).fired_at, Some(at("2026-03-05T09:00:00Z")));
    bench.go_to("2026-03-06T09:00:00Z");
    assert_eq!(bench.days().len(), 2);
}

#[test]
fn several_lines_fire_once_for_the_same_instant() {
    let bench = bench();
    let everybody = json!({"all": []});
    let nobody = json!({"field": "locale", "op": "eq", "value": "xx"});
    let line = |cron: &str, audience: &Value| json!({"type": "schedule", "cron": cron, "audience": audience});
    bench.flow(
        "Twice",
        scheduled(json!([line("0 9 * * *", &german()), line("0 9,18 1 * *", &nobody), line("0 9 2 * *", &everybody)])),
    );
    let (ada, bob) = (bench.speaker(), bench.contact());
    bench.go_to("2026-01-03T00:00:00Z");
    let (first, second) = ("2026-01-01T09:00".to_owned(), "2026-01-02T09:00".to_owned());
    assert_eq!(bench.began(), [(first, ada.id), (second.clone(), ada.id), (second, bob.id)]);
}

#[test]
fn a_paused_flow_fires_nothing_and_makes_up_for_nothing() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.go_to("2026-01-01T12:00:00Z");
    bench.becomes(flow, FlowStatus::Paused);
    assert_eq!(bench.planned(flow).next_at, None);
    bench.go_to("2026-01-03T12:00:00Z");
    assert_eq!(bench.days(), ["2026-01-01T09:00"]);
    bench.becomes(flow, FlowStatus::Active);
    bench.go_to("2026-01-04T12:00:00Z");
    assert_eq!(bench.days(), ["2026-01-01T09:00", "2026-01-04T09:00"]);
    // The job of a superseded schedule does nothing: the flow was paused and resumed within a day.
    bench.becomes(flow, FlowStatus::Paused);
    bench.becomes(flow, FlowStatus::Active);
    bench.go_to("2026-01-05T12:00:00Z");
    assert_eq!(bench.days().len(), 3);
    bench.becomes(flow, FlowStatus::Archived);
    bench.go_to("2026-01-07T12:00:00Z");
    assert_eq!(bench.days().len(), 3);
}

#[test]
fn a_new_version_replaces_the_schedule_and_keeps_due_firings() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    let at_ten = scheduled(json!([{"type": "schedule", "cron": "0 10 * * *", "audience": german()}]));
    bench.clock.set(at("2026-01-01T09:00:00.005Z"));
    // Due a moment ago, not fired yet.
    let named = |name: &str| {
        let mut definition = daily();
        definition["nodes"] = json!([{"id": "end", "type": "end"}, {"id": name, "type": "end"}]);
        definition["start"] = json!(name);
        definition["nodes"] = json!([{"id": name, "type": "end"}]);
        definition
    };
    bench.publishes(flow, named("other"));
    bench.finish_due_work();
    assert_eq!(bench.days().len(), 1);
    bench.publishes(flow, named("third"));
    bench.finish_due_work();
    assert_eq!(bench.days().len(), 1, "a new version fires only once for the same instant");
    bench.publishes(flow, at_ten);
    bench.go_to("2026-01-02T12:00:00Z");
    assert_eq!(bench.days()[1..], ["2026-01-01T10:00", "2026-01-02T10:00"]);
    bench.publishes(flow, scheduled(json!([])));
    bench.go_to("2026-01-05T12:00:00Z");
    assert_eq!(bench.days().len(), 3);
    bench.publishes(flow, daily());
    bench.go_to("2026-01-06T12:00:00Z");
    assert_eq!(bench.days()[3..], ["2026-01-06T09:00"]);
}

#[test]
fn follows_changes_of_the_workspace_time_zone() {
    let bench = bench();
    let (_, flow) = (bench.speaker(), bench.flow("Daily", daily()));
    bench.lives_in("America/New_York");
    // The old schedule is due first, by a former time zone of the workspace.
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    let jobs: Vec<_> = bench.claimed();
    assert_eq!(jobs.len(), 2);
    for job in jobs.iter().filter(|job| matches!(job.job, Job::FireSchedule { .. })) {
        block_on(bench.tidings.worker.perform(job)).unwrap();
    }
    assert_eq!((bench.days().len(), bench.planned(flow).next_at), (0, Some(at("2026-01-01T14:00:00Z"))));
    for job in jobs.iter().filter(|job| matches!(job.job, Job::PlanSchedules { .. })) {
        block_on(bench.tidings.worker.perform(job)).unwrap();
    }
    bench.go_to("2026-01-01T15:00:00Z");
    assert_eq!(bench.days(), ["2026-01-01T14:00"]);
    bench.lives_in("Europe/Berlin");
    bench.go_to("2026-01-02T08:00:00Z");
    assert_eq!(bench.days()[1..], ["2026-01-02T08:00"], "the schedule moves to the earlier time");
    // On 2026-03-29 Berlin's clocks change from 02:00 to 03:00.
    bench.go_to("2026-03-30T12:00:00Z");
    assert_eq!(bench.days().last().map(String::as_str), Some("2026-03-30T07:00"));
}

#[test]
fn repeated_portions_start_each_contact_once() {
    let bench = bench();
    let flow = bench.flow("Daily", daily());
    let speakers: Vec<ContactId> = (0..130).map(|_| bench.speaker().id).collect();
    bench.clock.set(at("2026-01-01T09:00:00Z"));
    let fire = bench.claim(Pool::Work, JobKind::FireSchedule);
    block_on(bench.tidings.worker.perform(&fire)).unwrap();
    assert_eq!(bench.frozen(flow), 130);
    // New contacts are not selected, and deleted ones are not started.
    bench.speaker();
    let gone = ContactRef::Id(speakers[7]);
    block_on(bench.tidings.contacts.delete(&bench.access, &gone, &ExpectedVersion::Any)).unwrap();
    let portion = bench.claim(Pool::Work, JobKind::StartFrozen);
    block_on(bench.tidings.worker.perform(&portion)).unwrap();
    assert_eq!(bench.frozen(flow), 30);
    // A worker died after the starts, before it reported them: the portion is claimed again, and so is the firing.
    block_on(bench.tidings.worker.perform(&portion)).unwrap();
    block_on(bench.tidings.worker.perform(&fire)).unwrap();
    bench.finish_due_work();
    assert_eq!(bench.frozen(flow), 0);
    for speaker in &speakers {
        let filter = crate::flows::RunFilter { contact: Some(*speaker), ..Default::default() };
        let runs = block_on(bench.tidings.flows.runs(&bench.access, &filter, Default::default())).unwrap().items;
        assert_eq!(runs.len(), usize::from(*speaker != speakers[7]));
    }
    assert_eq!(bench.claimed(), [], "no job is due before the next day");
}

#[test]
fn frozen_contacts_wait_for_a_resume_and_end_with_the_flow() {
    let bench = bench();
    let flow = bench.flow("Daily", daily());
    (0..3).for_each(|_| _ = bench.speaker());
    let fire = |day: &str| {
        bench.clock.set(at(day));
        bench.fires();
        bench.becomes(flow, FlowStatus::Paused);
        bench.finish_due_work();
        assert_eq!((bench.frozen(flow), bench.claimed()), (3, vec![]));
    };
    fire("2026-01-01T09:00:00Z");
    assert_eq!(bench.days().len(), 0);
    bench.becomes(flow, FlowStatus::Active);
    bench.finish_due_work();
    assert_eq!((bench.days().len(), bench.frozen(flow)), (3, 0));
    fire("2026-01-02T09:00:00Z");
    bench.becomes(flow, FlowStatus::Archived);
    bench.finish_due_work();
    assert_eq!((bench.days().len(), bench.frozen(flow)), (3, 0));
    let other = bench.flow("Other", daily());
    bench.clock.set(at("2026-01-03T09:00:00Z"));
    bench.fires();
    block_on(bench.tidings.flows.delete(&bench.access, other, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    bench.finish_due_work();
    assert_eq!((bench.days().len(), bench.frozen(other)), (3, 0));
}

#[test]
fn scheduled_starts_respect_reentry_and_the_start_limit() {
    let bench = bench();
    let waiting = json!({"triggers": [{"type": "schedule", "cron": "*/5 * * * *", "audience": german()}],
        "start": "wait", "nodes": [
            {"id": "wait", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]});
    let (ada, flow) = (bench.speaker(), bench.flow("Waits", waiting.clone()));
    bench.go_to("2026-01-01T00:31:00Z");
    assert_eq!(bench.began(), [("2026-01-01T00:05".into(), ada.id)], "no other run starts while one is active");
    let mut parallel = waiting;
    parallel["settings"] = json!({"reentry": "parallel"});
    bench.publishes(flow, parallel);
    bench.go_to("2026-01-01T02:01:00Z");
    let within = |hour: &str| bench.days().iter().filter(|day| day.contains(hour)).count();
    assert!(within("T01:") <= 10, "{:?}", bench.days());
    assert_eq!(bench.frozen(flow), 0, "no frozen contact is left");
    let refused = bench.runs().into_iter().filter(|run| run.is_refused()).count();
    assert!((1..=2).contains(&refused), "one refused run per hour reports the limit: {refused}");
}

#[test]
fn a_flow_whose_audience_lost_a_tag_pauses_until_published() {
    let bench = bench();
    let vip = NewTagCommand { name: "vip".into(), color: None, description: None };
    let vip = block_on(bench.tidings.tags.create(&bench.access, vip, None)).unwrap().value;
    let of_vips = json!({"field": "tags", "op": "has", "value": "vip"});
    let flow = bench.flow("VIPs", scheduled(json!([{"type": "schedule", "cron": "0 9 * * *", "audience": of_vips}])));
    let ada = bench.contact();
    let (named, tag) = (ContactRef::Id(ada.id), NewTag { tag: TagRef::Id(vip.id), pointer: "/tag_id".into() });
    block_on(bench.tidings.contacts.add_tag(&bench.access, &named, tag, &ExpectedVersion::Any, None)).unwrap();
    let patch = crate::tags::TagPatch { name: Some("gold".into()), ..Default::default() };
    block_on(bench.tidings.tags.update(&bench.access, vip.id, patch, &ExpectedVersion::Any)).unwrap();
    bench.go_to("2026-01-01T12:00:00Z");
    assert_eq!(bench.days().len(), 1, "a renamed tag keeps the audience");
    block_on(bench.tidings.tags.delete(&bench.access, vip.id, Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    bench.go_to("2026-01-02T12:00:00Z");
    assert_eq!(bench.days().len(), 1);
    let status = || block_on(bench.tidings.flows.get(&bench.access, flow)).unwrap().status;
    assert_eq!(status(), FlowStatus::Paused);
    let resume = FlowPatch { status: Some(FlowStatus::Active), ..FlowPatch::default() };
    let resumed = block_on(bench.tidings.flows.update(&bench.access, flow, resume, &ExpectedVersion::Any));
    assert!(matches!(resumed, Err(Error::Invalid(wrong)) if wrong[0].code == "lost_reference"));
    bench.publishes(flow, scheduled(json!([{"type": "schedule", "cron": "0 9 * * *", "audience": {"all": []}}])));
    bench.becomes(flow, FlowStatus::Active);
    bench.go_to("2026-01-03T12:00:00Z");
    assert_eq!(bench.days().len(), 2);
}
