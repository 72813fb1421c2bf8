//! `split`: distributes runs over several exits by weight. The exit depends only on the run and the node, so a retried
//! step or a second visit uses the same one.

use std::ops::RangeInclusive;

use super::kind::{FieldContent, Kind, NodeField};
use crate::flows::Decision;
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::ids::{RunId, TypedId};
use crate::read::Input;
use crate::step_outcome::StepOutcome;

const ARMS: RangeInclusive<usize> = 2..=10;
const WEIGHT: RangeInclusive<u64> = 1..=1_000;
const ABOUT_ARMS: &str = "The 2 to 10 arms: each has `weight`, its share from 1 to 1 000, and `next`.";

/// Distributes runs by weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The arms.
    pub arms: Vec<Arm>,
}

/// One exit; its name is `arms/` and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arm {
    /// Its share of the runs, relative to the other weights.
    pub weight: u64,
}

impl Kind for Split {
    const WORD: &'static str = "split";
    const ABOUT: &'static str = "Distributes runs over several arms by weight. A run always takes the same arm.";
    const FIELDS: &'static [NodeField] =
        &[NodeField::must("arms", ABOUT_ARMS).of(FieldContent::Arms { count: &ARMS, weight: &WEIGHT })];

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        match fields.get("arms") {
            None => fields.wrong("arms", "required", "is required"),
            Some(Input::Array(list)) if list.len() < *ARMS.start() => {
                fields.wrong("arms", "too_few", format!("at least {} arms are required", ARMS.start()));
            }
            Some(_) => {}
        }
        let arms = fields.each("arms", *ARMS.end(), |fields, index| {
            fields.only(&["weight", "next"]);
            fields.exit("next", &format!("arms/{index}"));
            if fields.get("weight").is_none() {
                fields.wrong("weight", "required", "is required");
            }
            fields.count("weight", WEIGHT, 1).map(|weight| Arm { weight })
        });
        Some(Self { arms })
    }

    fn visit(&self, interpreter: &mut Interpreter<'_>, at: &str) -> NodeOutcome {
        let arm = self.arm(interpreter.run.id, at);
        interpreter.decides_by(|_| Decision::among(self.arms.iter().map(|arm| arm.weight).collect()));
        NodeOutcome::leave(format!("arms/{arm}"), StepOutcome::ArmChosen.with(arm))
    }
}

impl Split {
    /// Returns the index of the arm that a run uses at this node.
    fn arm(&self, run: RunId, at: &str) -> usize {
        let weights = self.arms.iter().map(|arm| arm.weight);
        let ticket = ticket(run, at) % weights.clone().sum::<u64>().max(1);
        let ends = weights.scan(0, |end, weight| {
            *end += weight;
            Some(*end)
        });
        ends.take_while(|end| *end <= ticket).count()
    }
}

/// Returns a pseudo-random number that is constant for a run and a node: FNV-1a over the bytes of both, then the
/// finalizer of MurmurHash3 to spread it over all bits. Never change it: published flows rely on it.
fn ticket(run: RunId, at: &str) -> u64 {
    let run = run.uuid();
    let bytes = run.as_bytes().iter().chain(at.as_bytes());
    let mut hash = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(factor);
    }
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::flows::definition::Reading;
    use crate::flows::{KnownObjects, analyse};

    fn split(arms: Value) -> Value {
        json!({"start": "s", "nodes": [{"id": "s", "type": "split", "arms": arms},
            {"id": "a", "type": "end"}, {"id": "b", "type": "end"}]})
    }

    fn of(weights: &[u64]) -> Split {
        Split { arms: weights.iter().map(|weight| Arm { weight: *weight }).collect() }
    }

    fn run(number: u128) -> RunId {
        RunId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn rejects_invalid_arms() {
        let arms = |count: usize| Value::from(vec![json!({"weight": 1, "next": "a"}); count]);
        let told = |definition: &Value| -> Vec<(String, &str)> {
            Reading::of(definition).violations.iter().map(|it| (it.pointer.clone(), it.code)).collect()
        };
        let at = |place: &str, code: &'static str| (format!("/nodes/0/arms{place}"), code);
        assert_eq!((told(&split(arms(2))), told(&split(arms(10)))), (vec![], vec![]));
        for (wrong, expected) in [
            (arms(0), vec![at("", "too_few")]),
            (arms(1), vec![at("", "too_few")]),
            (arms(11), vec![at("", "too_many")]),
            (json!({}), vec![at("", "wrong_type")]),
            (
                json!([{"weight": 0, "next": "a"}, {"weight": 1001, "next": "b"}, {"weight": 1.5, "next": "a"}]),
                vec![at("/0/weight", "out_of_range"), at("/1/weight", "out_of_range"), at("/2/weight", "wrong_type")],
            ),
            (json!([{"next": "a"}, {"weight": 1}]), vec![at("/0/weight", "required"), at("/1/next", "required")]),
            (
                json!([{"weight": 1, "next": "c"}, {"weight": 1, "next": "a", "wieght": 1}]),
                vec![at("/1/wieght", "unknown_field"), at("/0/next", "unknown_node")],
            ),
        ] {
            assert_eq!(told(&split(wrong.clone())), expected, "{wrong}");
        }
    }

    #[test]
    fn the_analyser_follows_arms() {
        let found = |arms: Value| -> Vec<(String, &str)> {
            let findings = analyse(&split(arms), &KnownObjects::default()).findings;
            findings.into_iter().map(|it| (it.pointer, it.code)).collect()
        };
        assert_eq!(found(json!([{"weight": 1, "next": "a"}, {"weight": 1, "next": "b"}])), []);
        assert_eq!(
            found(json!([{"weight": 1, "next": "a"}, {"weight": 1, "next": "s"}])),
            [("/nodes/0/arms/1/next".to_owned(), "cycle_without_wait"), ("/nodes/2".to_owned(), "unreachable_node")]
        );
    }

    #[test]
    fn a_run_always_takes_the_same_arm() {
        let taken = |at: &str| -> Vec<usize> { (0..8).map(|number| of(&[1, 1, 1]).arm(run(number), at)).collect() };
        assert_eq!(taken("s"), [0, 0, 2, 0, 1, 1, 1, 0], "published flows rely on this assignment");
        assert_ne!(taken("s"), taken("t"), "splits choose independently");
    }

    #[test]
    fn arms_receive_runs_by_weight() {
        for weights in [vec![1, 1], vec![1, 2, 7], vec![1_000, 1], vec![1; 10]] {
            let (split, runs) = (of(&weights), 20_000);
            let mut taken = vec![0_u64; weights.len()];
            (0..runs).for_each(|number| taken[split.arm(run(number), "s")] += 1);
            let total: u64 = weights.iter().sum();
            for (taken, weight) in taken.iter().zip(&weights) {
                let expected = runs as f64 * *weight as f64 / total as f64;
                let error = (*taken as f64 - expected).abs() / expected.sqrt();
                assert!(error < 4.0, "{weights:?}: {taken} instead of {expected}");
            }
        }
    }
}
