//! Limits of requests: rates, expensive work, and stored data.

pub(crate) mod by_address;
pub(crate) mod byte_budget;
pub(crate) mod compute_pool;
pub(crate) mod inbound_limits;
pub(crate) mod plan_limits;
pub(crate) mod rate_windows;
mod storage_room;
pub(crate) mod stored_sums;
pub(crate) mod unknown_tokens;
pub(crate) mod workspace_limit;
