use std::sync::Arc;

use serde_json::{Map, Value};

use super::read::fits;
use super::{CustomEvent, CustomEventName};
use crate::access::Access;
use crate::contacts::{ContactRef, find_contact};
use crate::error::Error;
use crate::ids::{CustomEventId, TypedId};
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Object, Ports};
use crate::retry::{commit_outcome, retry_on_conflict};

/// The input for a new custom event.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCustomEvent {
    /// Name of the event.
    pub name: CustomEventName,
    /// Data of the event.
    pub data: Map<String, Value>,
}

impl NewCustomEvent {
    /// Creates the command for an event without data.
    pub fn new(name: CustomEventName) -> Self {
        Self { name, data: Map::new() }
    }
}

/// Use cases of custom events.
#[derive(Clone)]
pub struct CustomEventService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl CustomEventService {
    /// Records an event of a contact. Flows with a matching trigger react to it.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a contact that is unknown or deleted, [`Error::Invalid`] for data that is too long,
    /// [`Error::Store`].
    pub async fn record(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: NewCustomEvent,
        idempotency: IdempotencyHook<'_, CustomEvent>,
    ) -> Result<Done<CustomEvent>, Error> {
        fits(&command.data).map_err(|wrong| Error::Invalid(vec![wrong.under("/data")]))?;
        retry_on_conflict(|| async {
            let contact = find_contact(&self.ports, access, contact).await?;
            let event = CustomEvent {
                id: CustomEventId::from_uuid(self.ports.ids.next()),
                contact: contact.id,
                name: command.name.clone(),
                data: command.data.clone(),
                at: self.ports.clock.now(),
            };
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Live(Object::Contact(contact.id)));
            let recorded = ContactChange::RecordEvent { event: Box::new(event.clone()), depth: access.depth() };
            set.change(Change::Contact(recorded));
            let done = Done::created(event);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use serde_json::json;

    use super::*;
    use crate::ids::WorkspaceId;
    use crate::ports::{MockContactQueries, MockLedger};
    use crate::testing::a_contact;

    fn told(data: Value) -> NewCustomEvent {
        NewCustomEvent { name: "order.paid".parse().unwrap(), data: data.as_object().cloned().unwrap() }
    }

    #[test]
    fn records_an_event_with_its_depth_and_guards_the_contact() {
        let contact = a_contact().build();
        let (mut contacts, mut ledger) = (MockContactQueries::new(), MockLedger::new());
        let found = contact.clone();
        contacts.expect_find().times(1).returning(move |_, _| Ok(Some(found.clone())));
        let id = contact.id;
        ledger.expect_commit().times(1).returning(move |set| {
            assert_eq!(set.guards, [Guard::Live(Object::Contact(id))]);
            assert!(set.events.is_empty() && set.jobs.is_empty(), "a custom event adds no events or jobs to the set");
            match &set.changes[..] {
                [Change::Contact(ContactChange::RecordEvent { event, depth: 3 })] => {
                    assert_eq!((event.contact, event.name.as_str()), (id, "order.paid"));
                    Ok(())
                }
                other => panic!("{other:?}"),
            }
        });
        let ports = Ports { contacts: Arc::new(contacts), ledger: Arc::new(ledger), ..Ports::mocked() };
        let service = CustomEventService { ports: Arc::new(ports) };
        let access = Access::system(WorkspaceId::from_uuid(uuid::Uuid::nil())).at_depth(3);
        let contact = ContactRef::Id(id);
        let recorded = service.record(&access, &contact, told(json!({"total": 7})), None);
        let event = block_on(recorded).unwrap().value;
        assert_eq!(event.in_templates()["data"]["total"], 7);
    }

    #[test]
    fn rejects_long_data_before_reading_the_contact() {
        let service = CustomEventService { ports: Arc::new(Ports::mocked()) };
        let access = Access::system(WorkspaceId::from_uuid(uuid::Uuid::nil()));
        let long = told(json!({"text": "x".repeat(super::super::MAX_DATA)}));
        let contact = ContactRef::Id(a_contact().build().id);
        match block_on(service.record(&access, &contact, long, None)) {
            Err(Error::Invalid(wrong)) => assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/data", "too_long")),
            other => panic!("{other:?}"),
        }
    }
}
