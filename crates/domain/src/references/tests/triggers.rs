//! Filters of the triggers of published flows.

use super::*;
use crate::flows::{InFlight, NewFlow};

#[test]
fn a_trigger_uses_the_original_tag_and_stops_without_it() {
    let world = World::new();
    let (tag, mark) = (world.tag("NoFlow"), world.tag("Mark"));
    let definition = json!({
        "triggers": [{"type": "event", "event": "contact.created", "filter": has_not("NoFlow")}],
        "start": "t",
        "nodes": [{"id": "t", "type": "add_tag", "tag": "Mark", "next": "end"}, {"id": "end", "type": "end"}],
    });
    let new = NewFlow { name: "F".to_owned(), definition };
    let flow = block_on(world.tidings.flows.create(&world.access, new, None)).unwrap().value.id;
    let publish = world.tidings.flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None);
    block_on(publish).unwrap();
    world.rename(tag, "Quiet");
    let decoy = world.tag("NoFlow");
    let (with, without) = (world.contact("A", &[tag]), world.contact("B", &[decoy]));
    world.run();
    let is_marked =
        |contact| block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(contact))).unwrap().has_tag(mark);
    assert_eq!((is_marked(with), is_marked(without)), (false, true));
    world.delete(tag);
    let other = world.contact("C", &[]);
    world.run();
    assert!(!is_marked(other), "a filter without its tag matches no contact");
}
