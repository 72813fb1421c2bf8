//! Checks of the names that a template uses.

use crate::contacts::Contact;
use crate::text::Hints;

/// Names that are built into the template language.
const BUILT_IN: [&str; 6] = ["range", "dict", "namespace", "debug", "loop", "self"];

/// Roots that templates of flows may use.
pub(in crate::flows) const ROOTS_OF_FLOWS: &[&str] =
    &["contact", "custom_fields", "bot_fields", "conversation", "event", "vars", "now"];

/// The names that a template may use.
#[derive(Debug, Clone)]
pub(in crate::flows) struct Lookups<'a> {
    /// The roots, such as `contact`.
    pub(in crate::flows) roots: &'static [&'static str],
    pub(in crate::flows) custom_fields: Vec<&'a str>,
    pub(in crate::flows) bot_fields: Vec<&'a str>,
}

impl Lookups<'_> {
    /// Returns similar full names for an unknown name, as suggestions; `None` if the name exists or cannot be checked.
    pub(in crate::flows) fn unknown(&self, name: &str, hints: &mut Hints) -> Option<Vec<String>> {
        let mut parts = name.split('.');
        let (root, member) = (parts.next().unwrap_or_default(), parts.next());
        if BUILT_IN.contains(&root) {
            return None;
        }
        if !self.roots.contains(&root) {
            return Some(hints.nearest(root, self.roots.iter().copied()).into_iter().map(ToOwned::to_owned).collect());
        }
        let members = match root {
            "contact" => Contact::IN_TEMPLATES,
            "custom_fields" => &self.custom_fields,
            "bot_fields" => &self.bot_fields,
            _ => return None,
        };
        let member = member.filter(|member| !members.contains(member))?;
        let near = hints.nearest(member, members.iter().copied());
        Some(near.into_iter().map(|word| format!("{root}.{word}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names_for_unknown_ones() {
        let lookups = Lookups {
            roots: &["contact", "custom_fields", "bot_fields", "now"],
            custom_fields: vec!["plan", "city"],
            bot_fields: vec!["hours"],
        };
        let mut hints = Hints::default();
        let mut unknown = |name: &str| lookups.unknown(name, &mut hints);
        for there in ["contact.first_name", "contact", "custom_fields.plan", "bot_fields.hours", "now", "loop.index"] {
            assert_eq!(unknown(there), None, "{there}");
        }
        let near = |names: &[&str]| Some(names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(unknown("custom_fields.paln"), near(&["custom_fields.plan"]));
        assert_eq!(unknown("bot_fields.plan"), near(&[]));
        assert_eq!(unknown("contcat.first_name"), near(&["contact"]));
        assert_eq!(unknown("vars.city"), near(&[]));
    }
}
