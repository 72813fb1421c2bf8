//! Tests of the examples.
#![expect(clippy::expect_used, reason = "a test's helpers")]

use std::error::Error;
use std::io::Write;

#[path = "../examples/embed.rs"]
mod embed;
#[cfg(feature = "mocks")]
#[path = "../examples/mocked.rs"]
mod mocked;
#[path = "../examples/own_port.rs"]
mod own_port;
#[path = "../examples/simulate.rs"]
mod simulate;

type Play = fn(&mut dyn Write) -> Result<(), Box<dyn Error>>;

fn told(play: Play) -> Vec<String> {
    let mut out = Vec::new();
    play(&mut out).expect("the example succeeds");
    String::from_utf8(out).expect("the output is UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn the_example_plays_a_flow_of_two_days() {
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
fn the_example_uses_a_custom_port() {
    let [assigned, refused] = told(own_port::play).try_into().expect("the output has two lines");
    assert_eq!(assigned, "assigned");
    assert!(refused.starts_with("refused: "), "{refused}");
}

#[cfg(feature = "mocks")]
#[test]
fn the_example_checks_a_change_set_and_a_conflict() {
    assert_eq!(
        told(mocked::play),
        [
            "allows 10000 tags",
            "inserts tag_00000000000000000000000002 vip at 2026-01-01T00:00:00.000Z",
            "records tag.created",
            "refused: a tag with this name already exists",
        ]
    );
}

#[test]
fn the_example_simulates_a_flow() {
    assert_eq!(
        told(simulate::play),
        [
            "a buyer: the script ended",
            "  2026-03-02T09:00:00.000Z ask queued How many, Ada?",
            "  2026-03-02T09:00:00.000Z ask not valid, asked again: expected a number such as 12 or 1.5; queued How many, Ada?",
            "  2026-03-02T09:00:00.000Z ask saved to vars.count ",
            "  2026-03-02T09:00:00.000Z shop calls ",
            "  2026-03-02T09:00:00.000Z shop answered 201; saved vars.order ",
            "  2026-03-02T09:00:00.000Z thanks queued Your order is A-7.",
            "  2026-03-02T09:00:00.000Z rest waits until 2026-03-03T09:00:00.000Z ",
            "  2026-03-03T09:00:00.000Z rest continued ",
            "  2026-03-03T09:00:00.000Z tag added ",
            "  2026-03-03T09:00:00.000Z end completed ",
            "a silent one: nothing is left to run",
            "  2026-03-02T09:00:00.000Z ask queued How many, ?",
            "  2026-03-03T09:00:00.000Z ask no reply arrived in time ",
            "  2026-03-03T09:00:00.000Z end completed ",
            "  not as expected: the contact does not have the tag buyer; its tags: none",
            "never visited: sorry",
        ]
    );
}

/// Checks that the example of embedding stays short: the lines of `play` and `main`.
#[test]
fn the_example_has_at_most_thirty_lines() {
    let source = include_str!("../examples/embed.rs");
    let lines = |name: &str| {
        let (_, body) = source.split_once(name).expect("the function exists");
        body.lines().skip(1).take_while(|line| *line != "}").count()
    };
    let all = lines("pub fn play(") + lines("fn main(");
    assert!((10..=30).contains(&all), "{all}");
}
