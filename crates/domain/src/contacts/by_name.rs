//! Access to a contact's attributes by name, for flows and templates.

use serde_json::{Map, Value, json};

use super::{Attribute, Contact};

impl Contact {
    /// The names under `contact` in templates.
    pub const IN_TEMPLATES: &[&str] = Attribute::IN_TEMPLATES;

    /// The template variable `contact`. Attributes without a value are absent, so `default` applies to them.
    pub fn in_templates(&self) -> Map<String, Value> {
        let value = |name: &str| match name {
            "id" => Some(self.id.to_string()),
            "name" => self.name(),
            "created_at" => Some(self.created_at.to_string()),
            _ => self.attribute(Attribute::parse(name)?).map(ToOwned::to_owned),
        };
        Self::IN_TEMPLATES.iter().filter_map(|name| Some(((*name).to_owned(), json!(value(name)?)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContactView, previous_attributes};
    use super::*;
    use crate::conditions::{Condition, Facts, Vocabulary};
    use crate::testing::a_contact;
    use crate::time::Timestamp;

    #[test]
    fn every_attribute_is_in_views_events_conditions_and_templates() {
        for attribute in Attribute::ALL.iter().copied() {
            let (name, text) = (attribute.as_str(), attribute.example());
            let before = a_contact().build();
            let mut after = before.clone();
            assert_eq!(after.set_attribute(attribute, Some(text)), Ok(()), "{name}");
            assert_eq!((Attribute::parse(name), after.attribute(attribute)), (Some(attribute), Some(text)));
            let view = ContactView::from(&after);
            assert_eq!(json!(view)[name], text);
            let previous = previous_attributes(&ContactView::from(&before), &view);
            assert_eq!(previous.get(name), Some(&Value::Null), "{name}");
            assert_eq!((after.in_templates().get(name), before.in_templates().get(name)), (Some(&json!(text)), None));
            let condition = json!({"field": name, "op": "exists"});
            let condition = Condition::parse(&condition, &Vocabulary::default()).unwrap_or_else(|it| panic!("{it:?}"));
            let holds = |contact: &Contact| {
                let (conversations, bot_fields, now) = (&[], &Map::new(), Timestamp::EPOCH_2026);
                condition.holds(&Facts {
                    contact,
                    conversations,
                    bot_fields,
                    vars: None,
                    event: None,
                    now,
                    zone: chrono_tz::Tz::UTC,
                })
            };
            assert!(holds(&after) && !holds(&before), "{name}");
            assert_eq!((after.set_attribute(attribute, None), after == before), (Ok(()), true), "{name}");
        }
    }

    #[test]
    fn rejects_wrong_attributes_without_changing_the_contact() {
        let mut contact = a_contact().named("Ada").build();
        let wrong = contact.set_attribute(Attribute::FirstName, Some(&"x".repeat(101)));
        assert_eq!(wrong, Err("at most 100 characters".to_owned()));
        assert!(contact.set_attribute(Attribute::Email, Some("ada")).is_err());
        assert_eq!(contact, a_contact().named("Ada").build());
    }
}
