//! The schemas of channels, one for each type.

use serde_json::json;
use tidings_domain::channels::{ChannelKind, ChannelType, ConfigField, SANDBOX, Shape, schema_of};

use super::described;

#[test]
fn describes_the_channels_of_each_type() {
    const URL: ConfigField = ConfigField {
        name: "url",
        title: "URL",
        description: "Receives the messages.",
        shape: Shape::Url { most: 2_048 },
        required: true,
        fixed: false,
        private: true,
        verifies: false,
        example: None,
    };
    const MODE: ConfigField = ConfigField { name: "mode", shape: Shape::Choice(&["a", "b"]), ..URL };
    const PACE: ConfigField = ConfigField { name: "pace", shape: Shape::Integer { least: 1, most: 80 }, ..URL };
    const SERVER: ConfigField = ConfigField { name: "server", shape: Shape::Object(&[MODE, PACE]), ..URL };
    const SERVICE: ChannelType =
        ChannelType { kind: ChannelKind::Http, config: &[URL, MODE, PACE], reported: &[SERVER], ..SANDBOX };
    let document = described(&[&SANDBOX, &SERVICE]);
    let schemas = &document["components"]["schemas"];
    let channel = &schemas["Channel"];
    let (sandbox, service) = ("#/components/schemas/SandboxChannel", "#/components/schemas/HttpChannel");
    assert_eq!(channel["oneOf"], json!([{"$ref": sandbox}, {"$ref": service}]));
    let discriminator = json!({"propertyName": "kind", "mapping": {"sandbox": sandbox, "http": service}});
    assert_eq!(channel["discriminator"], discriminator);
    let members = &schemas["HttpChannel"]["properties"];
    assert_eq!(
        (&members["kind"]["enum"], &members["id"]["$ref"]),
        (&json!(["http"]), &json!("#/components/schemas/ChannelId"))
    );
    assert_eq!(members["config"], json!({"$ref": "#/components/schemas/HttpChannelConfig"}));
    let (config, declared) = (&schemas["HttpChannelConfig"], schema_of(&[MODE, PACE, SERVER]));
    for name in ["mode", "pace", "server"] {
        assert_eq!(config["properties"][name], declared["properties"][name], "{name}");
    }
    assert_eq!(config["required"], json!(["url"]));
    for config in [config, &schemas["SandboxChannelConfig"]] {
        assert_eq!(config["properties"]["url"]["type"], json!(["string", "null"]));
    }
    assert_eq!(schemas.get("ChannelConfig"), None);
}
