//! The examples do what they say.
#![allow(clippy::expect_used, reason = "a test's helpers")]

use std::error::Error;
use std::io::Write;

#[path = "../examples/embed.rs"]
mod embed;
#[path = "../examples/own_port.rs"]
mod own_port;

type Play = fn(&mut dyn Write) -> Result<(), Box<dyn Error>>;

fn told(play: Play) -> Vec<String> {
    let mut out = Vec::new();
    play(&mut out).expect("it plays to its end");
    String::from_utf8(out).expect("it writes text").lines().map(str::to_owned).collect()
}

#[test]
fn a_flow_over_two_days_is_played_at_once() {
    assert_eq!(
        told(embed::play),
        [
            "2026-01-01T00:00:00.000Z contact.created",
            "2026-01-01T00:00:00.000Z flow.started",
            "2026-01-01T00:00:00.000Z conversation.created",
            "2026-01-01T00:00:00.000Z message.sent",
            "2026-01-02T00:00:00.000Z message.sent",
            "2026-01-03T00:00:00.000Z contact.tag_added",
            "2026-01-03T00:00:00.000Z flow.completed",
        ]
    );
}

#[test]
fn a_port_of_ones_own_is_asked() {
    let [assigned, refused] = told(own_port::play).try_into().expect("two lines");
    assert_eq!(assigned, "assigned");
    assert!(refused.starts_with("refused: "), "{refused}");
}

/// Embedding is a matter of a few lines: of the whole story, and of what stands in `main` beside.
#[test]
fn the_example_has_thirty_lines() {
    let source = include_str!("../examples/embed.rs");
    let lines = |name: &str| {
        let (_, body) = source.split_once(name).expect("the function is there");
        body.lines().skip(1).take_while(|line| *line != "}").count()
    };
    let all = lines("pub fn play(") + lines("fn main(");
    assert!((10..=30).contains(&all), "{all}");
}
