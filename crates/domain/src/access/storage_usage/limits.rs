//! Limits of stored text.

use serde::Serialize;

use crate::access::Plan;
use crate::ids::WorkspaceId;

/// Limits in bytes of stored text, by plan; 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its plan")]
pub struct StoredLimits {
    pub starter: u64,
    pub pro: u64,
    pub business: u64,
}

impl Default for StoredLimits {
    fn default() -> Self {
        const GB: u64 = 1_000_000_000;
        Self { starter: 10 * GB, pro: 50 * GB, business: 250 * GB }
    }
}

impl StoredLimits {
    /// Returns the limit of a plan in bytes, if it has one.
    pub fn of(&self, plan: Plan) -> Option<i64> {
        let limit = match plan {
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        };
        (limit > 0).then(|| i64::try_from(limit).unwrap_or(i64::MAX))
    }
}

/// Level of the storage of a workspace, relative to the limit of its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StorageLevel {
    /// Below 80 percent, or there is no limit.
    Ok,
    /// From 80 percent of the limit.
    NearLimit,
    /// At the limit: requests that create or enlarge objects get 409 `storage_full`.
    Full,
}

impl StorageLevel {
    /// Returns the level of `total` bytes.
    pub fn of(total: i64, limit: Option<i64>) -> Self {
        match limit {
            Some(limit) if total >= limit => Self::Full,
            Some(limit) if i128::from(total) * 5 >= i128::from(limit) * 4 => Self::NearLimit,
            Some(_) | None => Self::Ok,
        }
    }
}

/// The last measurement of a workspace's stored text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOf {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The name.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// Total in bytes.
    pub total: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_near_the_limit_from_80_percent_and_full_at_100() {
        let level = |total| StorageLevel::of(total, Some(1_000));
        assert_eq!([0, 799].map(level), [StorageLevel::Ok; 2]);
        assert_eq!([800, 999].map(level), [StorageLevel::NearLimit; 2]);
        assert_eq!([1_000, i64::MAX].map(level), [StorageLevel::Full; 2]);
        assert_eq!(StorageLevel::of(i64::MAX, None), StorageLevel::Ok);
    }

    #[test]
    fn a_limit_of_zero_means_no_limit() {
        let limits = StoredLimits { starter: 0, ..StoredLimits::default() };
        assert_eq!(Plan::ALL.map(|plan| limits.of(plan)), [None, Some(50_000_000_000), Some(250_000_000_000)]);
    }
}
