//! Idioms that plain technical English does not use.

use regex::Regex;

/// An idiom, and the words after it that make it harmless.
const IDIOMS: &[(&str, Option<&str>)] = &[
    (r"\b(tell|tells|told|telling)\b", None),
    (r"\b(whom|whose)\b", None),
    (r"\b(whoever|somebody|nobody)\b", None),
    (r"(?:^|[.;,:] )who (is|was|has|had|comes?|asks?|may|wants?|writes?|leaves?|reads?|looks?)\b", None),
    (r"(?:^|[.:!?] )(What|Who|How|Where|Whose|Whoever|Whatever)\b", Some(r"^[^.]*\?")),
    (r"\bwhat is", Some(r"^ (wrong|next|new)")),
    (r"\bwhat (was|are|were|came|comes|has|had|it|they|somebody|people|others?|follows|falls|waits|one)\b", None),
    (r"\b(of|by|to|from|in|under|for|behind) (which|whom)\b", None),
    (r", where (it|that|there|they|one|the|a|an|no|this)\b|\bwhere (there|nobody|that) (is|are)\b", None),
    (r"\b(that|which|who) (is|are|was|were) (there|not there|gone|away)\b|\b(is|are) (not )?there\b", None),
    (r"\b(stands?|stood) (in|at|on|beside|for|there|once|alone|first|still)\b", None),
    (r"\b(looks?|looked|looking) (at|through|for|after) \b", None),
    (r"\b(goes|go|went) (by|on|over|along|to its)\b", None),
    (r"\b(comes?|came) (of|from it|in its place|back|anew|along)\b", None),
    (
        r"\b(at the (most|least|latest)|so many|so much|anew|meanwhile|all else|by itself|by themselves|of its own|of their own|in the place of|put aside|apart from|be it|so that)\b",
        None,
    ),
    (r"\b(others'|another's|one another|each other's|these are|those of|that of)\b", None),
    (
        r"\b(Of|By|To|In) (each|what|whom|which|those|one|a|an|the) [^.]{0,60}\b(is|are|was|were) (told|known|shown|kept|given|asked|held)\b",
        None,
    ),
    (
        r"\b(has|have|had) (it|them|its|the|a|an|what|everything|each|somebody)\b[^.]{0,40}\b(done|told|made|read|taken|held|look|begin|wait|follow)\b",
        None,
    ),
];

pub(super) struct Patterns {
    idioms: Vec<(Regex, Option<Regex>)>,
    word: Regex,
}

impl Patterns {
    pub(super) fn new() -> Self {
        let compiled = |pattern: &str| Regex::new(pattern).unwrap();
        let idioms = IDIOMS.iter().map(|(idiom, unless)| (compiled(idiom), unless.map(compiled))).collect();
        Self { idioms, word: compiled(r"[A-Za-z][A-Za-z'’-]*") }
    }

    pub(super) fn idioms<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        for (idiom, unless) in &self.idioms {
            let is_meant =
                |it: &regex::Match<'_>| unless.as_ref().is_none_or(|unless| !unless.is_match(&text[it.end()..]));
            found.extend(idiom.find_iter(text).filter(is_meant).map(|it| it.as_str()));
        }
        found
    }

    pub(super) fn words(&self, text: &str) -> usize {
        self.word.find_iter(text).count()
    }
}
