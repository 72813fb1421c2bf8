use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::channel_type::{ChannelType, ConfigField, Shape};
use super::model::Config;
use crate::error::Violation;
use crate::read::{Fields, Input, Report, boolean, integer, text, word, wrong_type};

/// Parses members that some of these fields declare. If two fields have the same name, the first counts.
///
/// # Errors
/// All violations, with pointers relative to the object.
pub fn read_members<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
) -> Result<Config, Vec<Violation>> {
    read(declared, written, |_| false)
}

/// Parses the configuration of a new channel as [`read_members`] does. A member that is `null` is absent.
///
/// # Errors
/// As [`read_members`].
pub fn read_config<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
) -> Result<Config, Vec<Violation>> {
    let mut config = Config::new();
    merge(&mut config, &read(declared, written, |_| true)?);
    Ok(config)
}

/// Parses an update of a configuration as [`read_members`] does. A member that is `null` is returned: the update removes
/// it. The type of the channel is not known, so the caller checks which members are required.
///
/// # Errors
/// As [`read_members`].
pub fn read_config_changes<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
) -> Result<Config, Vec<Violation>> {
    read(declared, written, |_| true)
}

/// Checks an update of a configuration with these fields. `null` removes a member that is not required.
///
/// # Errors
/// As [`read_members`]; `null_not_allowed` for a required member.
pub(super) fn check_changes(declared: &[ConfigField], changes: &Config) -> Result<(), Vec<Violation>> {
    read(declared, changes, |field| !field.required).map(|_| ())
}

/// Parses members; `null` stays for those that `is_removable`.
fn read<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
    is_removable: fn(&ConfigField) -> bool,
) -> Result<Config, Vec<Violation>> {
    let object = Value::Object(written.clone());
    Fields::read(Input::from(&object), Report::default(), |fields| {
        let (mut read, mut seen) = (Config::new(), BTreeSet::new());
        for field in declared {
            if seen.insert(field.name) {
                let is_null = written.get(field.name).is_some_and(Value::is_null);
                let value = match is_null && is_removable(field) && fields.has(field.name) {
                    true => Some(Value::Null),
                    false => member(fields, field, is_removable),
                };
                read.extend(value.map(|value| (field.name.to_owned(), value)));
            }
        }
        Some(read)
    })
}

fn member(fields: &mut Fields<'_>, field: &ConfigField, is_removable: fn(&ConfigField) -> bool) -> Option<Value> {
    match field.shape {
        Shape::Text { least, most } | Shape::GeneratedText { least, most } => {
            fields.optional(field.name, text(least..=most)).map(Value::from)
        }
        Shape::Url { most } | Shape::Host { most } => fields.optional(field.name, text(1..=most)).map(Value::from),
        Shape::Integer { least, most } => fields.optional(field.name, integer(least..=most)).map(Value::from),
        Shape::Boolean => fields.optional(field.name, boolean()).map(Value::from),
        Shape::Choice(words) => {
            let known = |given: &str| words.iter().copied().find(|word| *word == given);
            fields.optional(field.name, word(words, known)).map(Value::from)
        }
        Shape::Object(members) => {
            let object = |input: Input<'_>| match input.to_value() {
                Value::Object(written) => read(members, &written, is_removable),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    Err(wrong_type("an object", input).into())
                }
            };
            fields.optional(field.name, object).map(Value::Object)
        }
    }
}

/// Returns a violation for each required member of a new configuration that is missing, also in objects.
pub fn missing_config(declared: &[ConfigField], at: &str, config: &Config) -> Vec<Violation> {
    let mut missing = missing_members(declared, at, |name| config.contains_key(name));
    missing.extend(missing_inside(declared, at, config));
    missing
}

/// Returns a violation for each required member that is missing in the objects of a configuration or of secrets.
pub fn missing_inside<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    at: &str,
    config: &Config,
) -> Vec<Violation> {
    let mut missing = Vec::new();
    for field in declared {
        if let Some(Value::Object(object)) = config.get(field.name) {
            missing.extend(missing_config(field.shape.members(), &format!("{at}/{}", field.name), object));
        }
    }
    missing
}

/// Orders fields of several types for [`read_members`]: of fields with the same name, one for the JSON type of the
/// written value comes first. An update names no type; the fields of its channel are checked later.
pub fn fitting_first<'f>(
    declared: impl IntoIterator<Item = &'f ConfigField>,
    written: &Config,
) -> Vec<&'f ConfigField> {
    let fits = |field: &&'f ConfigField| {
        let value = written.get(field.name).map(|value| (field.name.to_owned(), value.clone()));
        let alone: Config = value.into_iter().collect();
        let own = format!("/{}", field.name);
        let is_other_type = |it: &Violation| it.code == "wrong_type" && it.pointer == own;
        read_members([*field], &alone).err().is_none_or(|wrong| !wrong.iter().any(is_other_type))
    };
    let (mut fields, others): (Vec<_>, Vec<_>) = declared.into_iter().partition(fits);
    fields.extend(others);
    fields
}

/// Merges an update into a configuration, objects member by member. `null` removes a member.
pub(super) fn merge(config: &mut Config, patch: &Config) {
    for (name, value) in patch {
        match value {
            Value::Null => {
                config.shift_remove(name);
            }
            Value::Object(changes) => {
                let stored = config.entry(name.as_str()).or_insert(Value::Null);
                let mut object = match stored.take() {
                    Value::Object(object) => object,
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
                };
                merge(&mut object, changes);
                *stored = Value::Object(object);
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                config.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Returns the pointer of the first member that a merging update changes and that satisfies `matches`.
pub(super) fn changed_member(
    declared: &[ConfigField],
    stored: Option<&Config>,
    patch: &Config,
    matches: &impl Fn(&ConfigField) -> bool,
) -> Option<String> {
    let empty = Map::new();
    declared.iter().find_map(|field| {
        let after = Some(patch.get(field.name)?).filter(|it| !it.is_null());
        let before = stored.and_then(|it| it.get(field.name));
        if matches(field) && before != after {
            return Some(format!("/{}", field.name));
        }
        let before = before.and_then(Value::as_object).unwrap_or(&empty);
        let changes = match after {
            Some(value) => value.as_object()?.clone(),
            // With the object, each of its members is removed.
            None => before.keys().map(|name| (name.clone(), Value::Null)).collect(),
        };
        let inner = changed_member(field.shape.members(), Some(before), &changes, matches)?;
        Some(format!("/{}{inner}", field.name))
    })
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
        verifies: false,
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

    const HOST: ConfigField =
        ConfigField { name: "host", shape: Shape::Host { most: 20 }, required: true, fixed: true, ..FIELD };
    const PORT: ConfigField =
        ConfigField { name: "port", shape: Shape::Integer { least: 1, most: 99 }, required: false, ..FIELD };
    const SERVER: ConfigField = ConfigField { name: "server", shape: Shape::Object(&[HOST, PORT]), ..FIELD };

    fn object(value: Value) -> Config {
        let Value::Object(object) = value else { panic!("the value is an object") };
        object
    }

    #[test]
    fn reads_the_members_of_objects() {
        let good = object(json!({"server": {"host": "a.example", "port": 25}}));
        assert_eq!(read_members(&[SERVER], &good), Ok(good.clone()));
        let places = |wrong: Vec<Violation>| wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>();
        for (written, pointer, code) in [
            (json!({"server": "a.example"}), "/server", "wrong_type"),
            (json!({"server": {"host": "a.example", "port": 0}}), "/server/port", "out_of_range"),
            (json!({"server": {"name": "x"}}), "/server/name", "unknown_field"),
        ] {
            let wrong = read_members(&[SERVER], &object(written)).unwrap_err();
            assert_eq!(places(wrong), [(pointer.to_owned(), code)]);
        }
        let missing = |config: Value| places(missing_config(&[SERVER], "/config", &object(config)));
        assert_eq!(missing(json!({})), [("/config/server".to_owned(), "required")]);
        assert_eq!(missing(json!({"server": {"port": 25}})), [("/config/server/host".to_owned(), "required")]);
        assert_eq!(missing(json!({"server": {"host": "a.example"}})), []);
        let missing = |secrets: Value| places(missing_inside(&[SERVER], "/secrets", &object(secrets)));
        assert_eq!(missing(json!({})), []);
        assert_eq!(missing(json!({"server": {}})), [("/secrets/server/host".to_owned(), "required")]);
    }

    #[test]
    fn merges_objects_and_finds_changed_members() {
        let mut stored = object(json!({"server": {"host": "a.example", "port": 25}, "mode": "polling"}));
        let changed = |stored: &Config, patch: Value| {
            changed_member(&[SERVER], Some(stored), &object(patch), &|field| field.fixed)
        };
        assert_eq!(changed(&stored, json!({"server": {"port": 26}})), None);
        assert_eq!(changed(&stored, json!({"server": {"host": "a.example"}})), None);
        assert_eq!(changed(&stored, json!({"server": {"host": "b.example"}})).as_deref(), Some("/server/host"));
        merge(&mut stored, &object(json!({"server": {"port": 26}, "mode": "webhook"})));
        assert_eq!(stored, object(json!({"server": {"host": "a.example", "port": 26}, "mode": "webhook"})));
    }

    #[test]
    fn null_removes_a_member_that_is_not_required() {
        let places = |wrong: Vec<Violation>| wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>();
        let check =
            |declared: &[ConfigField], changes: Value| check_changes(declared, &object(changes)).map_err(places);
        assert_eq!(check(&FIELDS, json!({"base_url": null, "rate": null})), Ok(()));
        assert_eq!(check(&[SERVER], json!({"server": {"port": null}})), Ok(()));
        for (declared, changes, pointer) in [
            (&FIELDS[..], json!({"mode": null}), "/mode"),
            (&[SERVER][..], json!({"server": null}), "/server"),
            (&[SERVER][..], json!({"server": {"host": null}}), "/server/host"),
        ] {
            assert_eq!(check(declared, changes), Err(vec![(pointer.to_owned(), "null_not_allowed")]));
        }
        let changes = read_config_changes(&[SERVER], &object(json!({"server": {"host": null, "port": 26}}))).unwrap();
        assert_eq!(changes, object(json!({"server": {"host": null, "port": 26}})));

        let mut stored = object(json!({"server": {"host": "a.example", "port": 25}, "rate": 7, "mode": "polling"}));
        merge(&mut stored, &object(json!({"server": {"port": null}, "rate": null, "base_url": null})));
        assert_eq!(stored, object(json!({"server": {"host": "a.example"}, "mode": "polling"})));
        merge(&mut stored, &object(json!({"mode": {"port": 25, "host": null}})));
        assert_eq!(stored["mode"], json!({"port": 25}), "no null is stored");
    }

    #[test]
    fn null_changes_only_members_that_exist() {
        let changed = |stored: Value, patch: Value| {
            changed_member(&[SERVER], Some(&object(stored)), &object(patch), &|field| field.fixed)
        };
        let none = json!({"server": {"port": 25}});
        assert_eq!(changed(none.clone(), json!({"server": {"host": null}})), None);
        assert_eq!(changed(none, json!({"server": null})), None);
        let stored = json!({"server": {"host": "a.example"}});
        for patch in [json!({"server": {"host": null}}), json!({"server": null})] {
            assert_eq!(changed(stored.clone(), patch.clone()).as_deref(), Some("/server/host"), "{patch}");
        }
    }

    #[test]
    fn null_is_absent_in_a_new_configuration() {
        let written = object(json!({"server": {"host": "a.example", "port": null}}));
        assert_eq!(read_config(&[SERVER], &written), Ok(object(json!({"server": {"host": "a.example"}}))));
        assert_eq!(read_config(&FIELDS, &object(json!({"mode": null}))), Ok(Config::new()));
        assert_eq!(read_config(&FIELDS, &object(json!({"url": null}))).unwrap_err()[0].code, "unknown_field");
    }

    #[test]
    fn a_name_of_two_shapes_accepts_both() {
        let text = ConfigField { name: "server", shape: Shape::Text { least: 1, most: 9 }, ..FIELD };
        let read = |written: Value| {
            let written = object(written);
            read_members(fitting_first(&[text, SERVER], &written), &written)
        };
        for written in [json!({"server": "a"}), json!({"server": {"port": 25}}), json!({})] {
            assert_eq!(read(written.clone()), Ok(object(written)));
        }
        for (written, pointer) in [(json!({"server": 1}), "/server"), (json!({"server": {"port": 0}}), "/server/port")]
        {
            let wrong = read(written).unwrap_err();
            assert_eq!(wrong.iter().map(|it| it.pointer.as_str()).collect::<Vec<_>>(), [pointer]);
        }
    }

    #[test]
    fn reports_a_member_of_two_types_once() {
        let written = Config::from_iter([("rate".to_owned(), json!(81))]);
        let wrong = read_members([&FIELDS, &FIELDS].into_iter().flatten(), &written).unwrap_err();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}
