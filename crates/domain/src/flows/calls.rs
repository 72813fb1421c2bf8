//! Calls: a run starts a run of another flow and waits for its end.

use crate::ids::RunId;

/// Maximum depth of nested calls.
pub const MAX_CALL_DEPTH: i64 = 5;
/// Maximum size in bytes of the variables, as JSON, that a call returns. Without it, calls in a cycle could double the
/// variables each time.
pub const MAX_RETURNED: usize = 64 * 1024;

/// The run that called another run and waits for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The calling run.
    pub run: RunId,
    /// Depth of the called run: 1 if the calling run was not itself called.
    pub depth: i64,
}

impl Caller {
    /// Returns the caller of a run that `run` calls; `of` is the caller of `run`. `None` if [`MAX_CALL_DEPTH`] is
    /// exceeded.
    pub fn next(run: RunId, of: Option<Self>) -> Option<Self> {
        let depth = of.map_or(0, |of| of.depth) + 1;
        (depth <= MAX_CALL_DEPTH).then_some(Self { run, depth })
    }
}

/// A call that a run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// The node requested it. The commit of the step replaces this with the result.
    Asked,
    /// It started this run.
    Began(RunId),
    /// No run was started, for this reason. The next step is due and reports it to the node.
    Refused(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn allows_five_nested_calls_and_no_sixth() {
        let run = RunId::from_uuid(uuid::Uuid::nil());
        let mut caller = None;
        for depth in 1..=5 {
            caller = Caller::next(run, caller);
            assert_eq!(caller, Some(Caller { run, depth }));
        }
        assert_eq!(Caller::next(run, caller), None);
    }
}
