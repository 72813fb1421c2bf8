//! Fields of `config` and `secrets` that several channel types extend.

use tidings_domain::channels::{ConfigField, Shape};

/// Name of the member of `config` with the address of the provider's API.
pub(crate) const BASE_URL: &str = "base_url";

/// An optional text that cannot change the meaning of other members.
pub(crate) const FIELD: ConfigField = ConfigField {
    name: "",
    title: "",
    description: "",
    shape: Shape::Text { least: 1, most: 100 },
    required: false,
    fixed: false,
    private: false,
    verifies: false,
    example: None,
};

/// A secret that each channel needs.
pub(crate) const SECRET: ConfigField =
    ConfigField { shape: Shape::Text { least: 1, most: 200 }, required: true, private: true, ..FIELD };

/// The address of an API that replaces the public one.
pub(crate) const API_ADDRESS: ConfigField =
    ConfigField { name: BASE_URL, shape: Shape::Url { most: 2_048 }, private: true, ..FIELD };
