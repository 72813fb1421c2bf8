//! A policy without restrictions.

use crate::webhooks::sender::AddressPolicy;

/// A policy that allows every address.
#[derive(Debug, Default)]
pub struct AnyAddress;

impl AddressPolicy for AnyAddress {
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}
