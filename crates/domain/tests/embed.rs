//! The example of the README does what it says.

#[path = "../examples/embed.rs"]
mod embed;

#[test]
fn the_embedding_example_plays_its_story() {
    let kinds = embed::play().expect("the story ends");
    assert_eq!(
        kinds,
        [
            "contact.created",
            "flow.started",
            "conversation.created",
            "message.sent",
            "contact.tag_added",
            "flow.completed"
        ]
    );
}
