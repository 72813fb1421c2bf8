//! Calls: a run that has another flow gone through for it, and comes back when that is done.

use crate::ids::RunId;

/// So many calls stand inside one another at the most.
pub const MAX_CALL_DEPTH: i64 = 5;
/// The most bytes of variables, as JSON, that a call brings back: calls in a circle would double them each time.
pub const MAX_RETURNED: usize = 64 * 1024;

/// Who called a run, and waits for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The run that called it.
    pub run: RunId,
    /// How many calls stand inside one another up to this run: 1 where nobody called its caller.
    pub depth: i64,
}

impl Caller {
    /// The caller of whom a run calls that was itself called by `of`; `None` where too many calls stand inside one another.
    pub fn next(run: RunId, of: Option<Self>) -> Option<Self> {
        let depth = of.map_or(0, |of| of.depth) + 1;
        (depth <= MAX_CALL_DEPTH).then_some(Self { run, depth })
    }
}

/// A call that a run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// The node asks for it; the commit of the step knows what came of that.
    Asked,
    /// This run was begun for it.
    Began(RunId),
    /// No run was begun, and this is why: the next step, which is due, tells the node.
    Refused(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn five_calls_stand_inside_one_another_and_no_sixth() {
        let run = RunId::from_uuid(uuid::Uuid::nil());
        let mut caller = None;
        for depth in 1..=5 {
            caller = Caller::next(run, caller);
            assert_eq!(caller, Some(Caller { run, depth }));
        }
        assert_eq!(Caller::next(run, caller), None);
    }
}
