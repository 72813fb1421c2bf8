//! Random sequences of renames, deletions and creations, with stored references.

use proptest::prelude::*;

use super::*;

/// A step in a workspace.
#[derive(Debug, Clone)]
enum Act {
    RenameTag(usize, usize),
    DeleteTag(usize),
    CreateTag(usize),
    DeleteField,
    CreateField,
    RemoveOption,
    ReturnOption,
}

const NAMES: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let one = prop_oneof![
        4 => (0..3_usize, 0..4_usize).prop_map(|(tag, name)| Act::RenameTag(tag, name)),
        1 => (0..3_usize).prop_map(Act::DeleteTag),
        2 => (0..4_usize).prop_map(Act::CreateTag),
        1 => Just(Act::DeleteField),
        1 => Just(Act::CreateField),
        1 => Just(Act::RemoveOption),
        1 => Just(Act::ReturnOption),
    ];
    proptest::collection::vec(one, 1..12)
}

/// The expected state of the referenced objects.
struct Model {
    /// The referenced tags with their current names; `None` after the deletion.
    tags: [Option<String>; 3],
    /// The names of all tags.
    taken: Vec<String>,
    field: Option<FieldId>,
    is_meant_field: bool,
    has_option: bool,
}

fn condition(places: &[usize], by_option: bool) -> Value {
    let tags: Vec<Value> = places.iter().map(|place| json!(NAMES[*place])).collect();
    let mut all = vec![json!({"not": {"field": "tags", "op": "in", "value": tags}})];
    if by_option {
        all.push(json!({"field": "custom_fields.plan", "op": "ne", "value": "free"}));
    }
    json!({ "all": all })
}

impl Model {
    fn is_whole(&self, places: &[usize], by_option: bool) -> bool {
        let tags = places.iter().all(|place| self.tags[*place].is_some());
        tags && (!by_option || (self.is_meant_field && self.has_option))
    }

    /// Returns the condition as it should be read, while nothing is lost.
    fn shown(&self, places: &[usize], by_option: bool) -> Value {
        let mut shown = condition(places, by_option);
        let names: Vec<_> = places.iter().map(|place| json!(self.tags[*place])).collect();
        shown["all"][0]["not"]["value"] = json!(names);
        shown
    }

    fn apply(&mut self, world: &World, ids: &[TagId; 3], act: &Act) {
        match act {
            Act::RenameTag(place, name) => {
                let name = NAMES[*name].to_owned();
                if let Some(old) = self.tags[*place].clone().filter(|_| !self.taken.contains(&name)) {
                    world.rename(ids[*place], &name);
                    self.taken.retain(|it| *it != old);
                    self.taken.push(name.clone());
                    self.tags[*place] = Some(name);
                }
            }
            Act::DeleteTag(place) => {
                if let Some(old) = self.tags[*place].take() {
                    world.delete(ids[*place]);
                    self.taken.retain(|it| *it != old);
                }
            }
            Act::CreateTag(name) => {
                if !self.taken.iter().any(|it| it == NAMES[*name]) {
                    world.tag(NAMES[*name]);
                    self.taken.push(NAMES[*name].to_owned());
                }
            }
            Act::DeleteField => {
                if let Some(field) = self.field.take() {
                    world.delete_field(field);
                    self.is_meant_field = false;
                }
            }
            Act::CreateField => {
                if self.field.is_none() {
                    self.field = Some(world.field("plan", &["pro", "free"]));
                    self.has_option = true;
                }
            }
            Act::RemoveOption => {
                if let Some(field) = self.field {
                    world.set_options(field, &["pro"]);
                    self.has_option = false;
                }
            }
            Act::ReturnOption => {
                if let Some(field) = self.field {
                    world.set_options(field, &["pro", "free"]);
                    self.has_option = true;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_stored_reference_means_the_same_object_or_reports_its_loss(
        places in proptest::sample::subsequence(vec![0_usize, 1, 2], 1..=3),
        by_option in any::<bool>(),
        acts in acts(),
    ) {
        let world = World::new();
        let ids = [world.tag(NAMES[0]), world.tag(NAMES[1]), world.tag(NAMES[2])];
        let field = world.field("plan", &["pro", "free"]);
        let plain = world.contact("plain", &[]);
        let carriers = ids.map(|tag| world.contact("carrier", &[tag]));
        let written = condition(&places, by_option);
        let segment = world.segment(written.clone());
        let sequence = world.sequence(written.clone());
        let broadcast = world.broadcast(Audience::Condition(written.into()));
        let mut model = Model {
            tags: [0, 1, 2].map(|place| Some(NAMES[place].to_owned())),
            taken: NAMES[..3].iter().map(|it| (*it).to_owned()).collect(),
            field: Some(field),
            is_meant_field: true,
            has_option: true,
        };
        for act in &acts {
            model.apply(&world, &ids, act);
            let is_whole = model.is_whole(&places, by_option);
            let (condition, _, lost) = world.segment_shown(segment);
            prop_assert_eq!(lost.is_empty(), is_whole, "{:?} after {:?}", lost, act);
            prop_assert_eq!(world.sequence_shown(sequence).1.is_empty(), is_whole);
            prop_assert_eq!(world.broadcast_shown(broadcast).1.is_empty(), is_whole);
            if is_whole {
                prop_assert_eq!(condition, model.shown(&places, by_option));
            }
        }
        world.wait(61);
        let status = world.broadcast_shown(broadcast).0.status;
        let expected: BTreeMap<ContactId, usize> = match model.is_whole(&places, by_option) {
            false => BTreeMap::new(),
            true => {
                let others = (0..3).filter(|place| !places.contains(place)).map(|place| carriers[place]);
                others.chain([plain]).map(|contact| (contact, 1)).collect()
            }
        };
        let ended = if expected.is_empty() { BroadcastStatus::Paused } else { BroadcastStatus::Completed };
        prop_assert_eq!((status, world.written_to()), (ended, expected));
    }
}
