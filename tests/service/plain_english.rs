//! Checks that texts are plain English: idioms per 1,000 words, by group and by file, are below the limits of one
//! table.
//!
//! The patterns show a habit; a low rate alone does not make a text good. `CONTRIBUTING.md` has the rules.

mod patterns;
mod texts;

use std::collections::BTreeMap;

use patterns::Patterns;
use texts::{Group, files};

/// The limits of idioms per 1,000 words in a group, and in each of its files with 80 words or more.
///
/// A limit may only decrease.
const LIMITS: &[(Group, f64, Option<f64>)] = &[
    (Group::Docs, 4.0, Some(8.0)),
    (Group::Messages, 4.0, None),
    (Group::TestMessages, 5.0, None),
    (Group::Comments, 4.0, Some(10.0)),
    (Group::OtherComments, 4.0, Some(10.0)),
    (Group::PanelTexts, 4.0, Some(8.0)),
];

#[derive(Default, Clone, Copy)]
struct Count {
    words: usize,
    idioms: usize,
}

impl Count {
    fn rate(self) -> f64 {
        self.idioms as f64 * 1_000.0 / self.words.max(1) as f64
    }
}

#[test]
fn texts_stay_below_the_limits_of_their_group() {
    let patterns = Patterns::new();
    let mut by_file: BTreeMap<(Group, String), Count> = BTreeMap::new();
    let mut hits: BTreeMap<Group, Vec<String>> = BTreeMap::new();
    for file in files() {
        for (group, line, text) in file.texts() {
            let count = by_file.entry((group, file.path.clone())).or_default();
            count.words += patterns.words(&text);
            for idiom in patterns.idioms(&text) {
                count.idioms += 1;
                hits.entry(group).or_default().push(format!("{}:{line}: {idiom:?} in: {}", file.path, text.trim()));
            }
        }
    }
    let mut wrong = Vec::new();
    for (group, most, most_of_file) in LIMITS {
        let of_group = || by_file.iter().filter(|((it, _), _)| it == group);
        let sum = of_group().fold(Count::default(), |sum, (_, it)| Count {
            words: sum.words + it.words,
            idioms: sum.idioms + it.idioms,
        });
        println!(
            "{group:?}: {:.1} per 1,000 words ({} in {} words), at most {most}",
            sum.rate(),
            sum.idioms,
            sum.words
        );
        assert!(sum.words > 0, "{group:?} has no text");
        if sum.rate() > *most {
            let shown: Vec<_> = hits.get(group).into_iter().flatten().take(40).collect();
            wrong.push(format!("{group:?} has {:.1} idioms per 1,000 words, at most {most}: {shown:#?}", sum.rate()));
        }
        for ((_, path), count) in of_group().filter(|(_, it)| it.words >= 80) {
            if most_of_file.is_some_and(|most| count.rate() > most) {
                let shown: Vec<_> = hits.get(group).into_iter().flatten().filter(|it| it.starts_with(path)).collect();
                wrong.push(format!("{path} has {:.1} idioms per 1,000 words: {shown:#?}", count.rate()));
            }
        }
    }
    assert!(wrong.is_empty(), "not plain English, see CONTRIBUTING.md: {}", wrong.join("\n"));
}

#[test]
fn finds_idioms_but_no_plain_sentences() {
    let patterns = Patterns::new();
    for text in [
        "What is put aside is retried.",
        "Nobody is told.",
        "the key by which it is found",
        "It stands in the table",
        "at the most ten",
        "a flow that is not there",
        "Whoever asks gets it",
    ] {
        assert!(!patterns.idioms(text).is_empty(), "{text}");
    }
    for text in [
        "What is wrong? How do I retry a delivery?",
        "Dead-lettered jobs are retried.",
        "The server returns 404 if the contact does not exist.",
        "Explains what is new.",
    ] {
        assert!(patterns.idioms(text).is_empty(), "{text}: {:?}", patterns.idioms(text));
    }
}
