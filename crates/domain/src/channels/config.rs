use std::collections::BTreeSet;

use serde_json::Value;

use super::channel_type::{ChannelType, ConfigField, Shape};
use super::model::Config;
use crate::error::Violation;
use crate::read::{Fields, Input, Report, boolean, integer, text, word};

/// Parses members that some of these fields declare. If two fields have the same name, the first counts.
///
/// # Errors
/// All violations, with pointers relative to the object.
pub fn read_members<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
) -> Result<Config, Vec<Violation>> {
    let object = Value::Object(written.clone());
    Fields::read(Input::from(&object), Report::default(), |fields| {
        let (mut read, mut seen) = (Config::new(), BTreeSet::new());
        for field in declared {
            if seen.insert(field.name) {
                read.extend(member(fields, field).map(|value| (field.name.to_owned(), value)));
            }
        }
        Some(read)
    })
}

fn member(fields: &mut Fields<'_>, field: &ConfigField) -> Option<Value> {
    match field.shape {
        Shape::Text { least, most } => fields.optional(field.name, text(least..=most)).map(Value::from),
        Shape::Url { most } => fields.optional(field.name, text(1..=most)).map(Value::from),
        Shape::Integer { least, most } => fields.optional(field.name, integer(least..=most)).map(Value::from),
        Shape::Boolean => fields.optional(field.name, boolean()).map(Value::from),
        Shape::Choice(words) => {
            let known = |given: &str| words.iter().copied().find(|word| *word == given);
            fields.optional(field.name, word(words, known)).map(Value::from)
        }
    }
}

/// Returns a violation for each required member that is missing, with a pointer below `at`.
pub fn missing_members(declared: &[ConfigField], at: &str, given: impl Fn(&str) -> bool) -> Vec<Violation> {
    let missing = declared.iter().filter(|field| field.required && !given(field.name));
    missing.map(|field| Violation::new(format!("{at}/{}", field.name), "required", "is required")).collect()
}

impl ChannelType {
    /// Returns the given members of `config` that this type does not declare, by name.
    pub fn undeclared<'n>(&self, config: &'n Config) -> impl Iterator<Item = &'n str> {
        let declared = self.config;
        config.keys().map(String::as_str).filter(move |name| declared.iter().all(|field| field.name != *name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FIELD: ConfigField = ConfigField {
        name: "mode",
        title: "Mode",
        description: "Way to receive messages.",
        shape: Shape::Choice(&["webhook", "polling"]),
        required: true,
        fixed: false,
        private: false,
        example: None,
    };
    const FIELDS: [ConfigField; 3] = [
        FIELD,
        ConfigField { name: "base_url", shape: Shape::Url { most: 20 }, required: false, ..FIELD },
        ConfigField { name: "rate", shape: Shape::Integer { least: 1, most: 80 }, required: false, ..FIELD },
    ];

    fn read(written: Value) -> Result<Config, Vec<(String, &'static str)>> {
        let Value::Object(written) = written else { panic!("the config is an object") };
        let wrong = |violations: Vec<Violation>| violations.into_iter().map(|it| (it.pointer, it.code)).collect();
        read_members(&FIELDS, &written).map_err(wrong)
    }

    #[test]
    fn reads_declared_members() {
        let written = json!({"mode": "polling", "rate": 80, "base_url": "http://localhost"});
        assert_eq!(read(written.clone()).map(Value::Object), Ok(written));
        assert_eq!(read(json!({})), Ok(Config::new()));
        assert_eq!(missing_members(&FIELDS, "/config", |_| false)[0].pointer, "/config/mode");
        assert_eq!(missing_members(&FIELDS, "/config", |name| name == "mode"), []);
    }

    #[test]
    fn reports_every_wrong_member() {
        let wrong = read(json!({"mode": "push", "rate": 81, "base_url": null, "url": "x"})).unwrap_err();
        let expected = [
            ("/mode", "invalid_value"),
            ("/base_url", "null_not_allowed"),
            ("/rate", "out_of_range"),
            ("/url", "unknown_field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn reports_a_member_of_two_types_once() {
        let written = Config::from_iter([("rate".to_owned(), json!(81))]);
        let wrong = read_members([&FIELDS, &FIELDS].into_iter().flatten(), &written).unwrap_err();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}
