//! The invariants of `fuzz/`, checked for a few hundred mutations of each seed.
//!
//! A failure prints the smallest input that was found. `PROPTEST_CASES=100000` tries more, without a fuzzer.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::{TARGETS, Target};

/// Texts that are inserted into an input, in addition to random bytes: tokens of the parsed languages.
const MARKS: [&str; 32] = [
    "\0",
    "\n",
    " ",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "{{",
    "}}",
    "{%",
    "%}",
    "|",
    ":",
    ",",
    "0",
    "-1",
    "9223372036854775808",
    "1e308",
    "null",
    "ß",
    "\u{202e}",
    "\\u0000",
    "\r\n",
    "\r\n\r\n",
    "--b",
    "=?",
    "&",
    "=",
    "%00",
    "*",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

#[derive(Debug, Clone)]
enum Edit {
    Put(Index, Index),
    PutByte(Index, u8),
    Remove(Index, usize),
    Repeat(Index, usize),
}

impl Edit {
    fn apply(&self, input: &mut Vec<u8>) {
        let place = |index: &Index, input: &[u8]| index.index(input.len() + 1);
        let piece = |at: usize, length: usize, input: &[u8]| at..(at + length).min(input.len());
        match self {
            Self::Put(at, mark) => {
                let at = place(at, input);
                input.splice(at..at, mark.get(&MARKS).bytes());
            }
            Self::PutByte(at, byte) => input.insert(place(at, input), *byte),
            Self::Remove(at, length) => {
                let at = place(at, input);
                input.drain(piece(at, *length, input));
            }
            Self::Repeat(at, length) => {
                let at = place(at, input);
                let repeated: Vec<u8> = input[piece(at, *length, input)].repeat(3);
                input.splice(at..at, repeated);
            }
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), at()).prop_map(|(at, mark)| Edit::Put(at, mark)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::PutByte(at, byte)),
        (at(), 1..20_usize).prop_map(|(at, length)| Edit::Remove(at, length)),
        (at(), 1..40_usize).prop_map(|(at, length)| Edit::Repeat(at, length)),
    ]
}

/// Generates a seed with some mutations, sometimes none, or random bytes.
fn input(target: &'static Target) -> impl Strategy<Value = Vec<u8>> {
    let changed = (proptest::sample::select(target.seeds), vec(edit(), 0..6)).prop_map(|(seed, edits)| {
        let mut input = seed.as_bytes().to_vec();
        edits.iter().for_each(|edit| edit.apply(&mut input));
        input
    });
    prop_oneof![9 => changed, 1 => vec(any::<u8>(), 0..200)]
}

#[test]
fn properties_hold_for_any_input() {
    for target in TARGETS {
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(200);
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let ran = runner.run(&input(target), |input| {
            (target.run)(&input);
            Ok(())
        });
        ran.unwrap_or_else(|error| panic!("{}: {error}", target.name));
    }
}

#[test]
fn every_target_has_a_file_for_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for Target { name, .. } in TARGETS {
        let file = std::fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).expect(name);
        assert!(file.contains(&format!("tidings_fuzz::{name}(data)")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
    assert!(TARGETS.len() >= 12);
}
