//! Waits: how they begin, and what happens when something comes.

use super::answer::read_answer;
use super::{Ending, Input, Interpreter, Turn};
use crate::flows::definition::{Ask, Delay, Moment, Target};
use crate::flows::{Action, Node, Wait, WaitKind};
use crate::send_window::{Zone, instant_of};
use crate::time::Timestamp;

impl Interpreter<'_> {
    /// What comes of an input for a run that waits at this node; `None` where the node is not one
    /// that waits so, as after a migration: it is visited anew.
    pub(super) fn resume(&mut self, at: &str, node: &Node, wait: &Wait, input: Input<'_>) -> Option<Turn> {
        match (&node.action, wait.kind, input) {
            (Action::Ask(ask), WaitKind::Reply, Input::Reply(text)) => {
                self.enter(at, node, true);
                Some(self.answered(at, ask, wait, text))
            }
            (Action::Ask(_), WaitKind::Reply, Input::Timer) => {
                if wait.until.is_none_or(|until| self.environment.now < until) {
                    return Some(Turn::Stop {
                        ending: Ending::Wait { node: at.to_owned(), wait: wait.clone() },
                        outcome: String::new(),
                    });
                }
                self.enter(at, node, true);
                let exit = if node.exit("on_timeout").is_some() { "on_timeout" } else { "next" };
                Some(Turn::Leave { exit: exit.to_owned(), outcome: "no reply came in time".to_owned() })
            }
            (Action::Delay(delay), WaitKind::Until, _) => {
                let early = wait.until.filter(|until| self.environment.now < *until);
                // What comes late, as after a time without service, keeps to its window.
                let later = early.or_else(|| {
                    Some(self.opening(delay, self.environment.now)).filter(|at| *at > self.environment.now)
                });
                if let Some(until) = later {
                    let ending = Ending::Wait { node: at.to_owned(), wait: Wait::until(until) };
                    return Some(Turn::Stop { ending, outcome: String::new() });
                }
                self.enter(at, node, true);
                Some(Turn::next("went on"))
            }
            _ => None,
        }
    }

    pub(super) fn delay(&mut self, at: &str, delay: &Delay) -> Turn {
        let until = match self.moment(delay) {
            Ok(moment) => self.opening(delay, moment),
            Err(why) => return Turn::failed("template_error", why, at),
        };
        if until <= self.environment.now && !matches!(delay.moment, Moment::For(_)) {
            return Turn::next("not needed");
        }
        let outcome = format!("waits until {until}");
        Turn::Stop { ending: Ending::Wait { node: at.to_owned(), wait: Wait::until(until) }, outcome }
    }

    /// The instant that a wait names, its window aside.
    fn moment(&self, delay: &Delay) -> Result<Timestamp, String> {
        let local = |time| instant_of(time, self.zone(delay));
        Ok(match &delay.moment {
            Moment::Now => self.environment.now,
            Moment::For(duration) => self.environment.now.plus(*duration),
            Moment::Instant(instant) => *instant,
            Moment::Local(time) => local(*time),
            Moment::Template(template) => {
                let text = self.render(template)?;
                match Moment::parse(&text) {
                    Some(Moment::Instant(instant)) => instant,
                    Some(Moment::Local(time)) => local(time),
                    _ => return Err(format!("{text} is not a time such as 2026-12-24T18:00:00Z")),
                }
            }
        })
    }

    /// The first instant, at or after this one, that the window allows.
    fn opening(&self, delay: &Delay, instant: Timestamp) -> Timestamp {
        delay.window.as_ref().map_or(instant, |window| window.next_allowed(instant, self.zone(delay)))
    }

    fn zone(&self, delay: &Delay) -> chrono_tz::Tz {
        let zone = delay.window.as_ref().map_or(Zone::Contact, |window| window.zone());
        zone.of(self.contact.time_zone.as_ref(), self.environment.zone)
    }

    pub(super) fn ask(&mut self, at: &str, ask: &Ask) -> Turn {
        if let Err(turn) = self.say(at, &ask.message) {
            return turn;
        }
        // While people have the conversation the question is not put, and so not waited for.
        if self.human {
            return Turn::next("");
        }
        self.awaits(at, ask, 1, String::new())
    }

    fn awaits(&mut self, at: &str, ask: &Ask, attempt: i64, outcome: String) -> Turn {
        let until = ask.timeout.map(|timeout| self.environment.now.plus(timeout));
        let wait = Wait { kind: WaitKind::Reply, until, attempt };
        Turn::Stop { ending: Ending::Wait { node: at.to_owned(), wait }, outcome }
    }

    fn answered(&mut self, at: &str, ask: &Ask, wait: &Wait, text: &str) -> Turn {
        let saved = read_answer(&ask.expect, text).and_then(|value| match &ask.save_to {
            Some(target) => self.save(target, value).map(|()| format!("saved to {target}")),
            None => Ok("answered".to_owned()),
        });
        let why = match saved {
            Ok(outcome) => return Turn::next(outcome),
            Err(why) => why,
        };
        let attempts = i64::try_from(ask.attempts).unwrap_or(i64::MAX);
        if wait.attempt >= attempts {
            let invalid = self.definition.nodes.get(at).is_some_and(|node| node.exit("on_invalid").is_some());
            let exit = if invalid { "on_invalid" } else { "next" };
            return Turn::Leave { exit: exit.to_owned(), outcome: format!("not valid: {why}") };
        }
        if let Err(turn) = self.say(at, ask.invalid_message.as_ref().unwrap_or(&ask.message)) {
            return turn;
        }
        self.awaits(at, ask, wait.attempt + 1, format!("not valid, asked again: {why}"))
    }

    /// Saves an answer.
    fn save(&mut self, target: &Target, value: serde_json::Value) -> Result<(), String> {
        self.write(target, Some(value))
    }
}
