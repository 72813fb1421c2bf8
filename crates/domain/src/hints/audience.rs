//! The audience of hints.

use crate::access::{Access, Scope};

/// The credentials that receive hints about a type of object: those that may read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Every credential of the workspace.
    Read,
    /// Credentials with the scope `full`.
    Full,
    /// Owners and admins, but no API key of any scope.
    Admins,
}

impl Audience {
    /// Whether this credential receives the hints.
    pub fn includes(self, access: &Access) -> bool {
        match self {
            Self::Read => access.allows(Scope::Read),
            Self::Full => access.allows(Scope::Full),
            Self::Admins => access.administers(),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::access::Role;
    use crate::ids::{KeyId, TypedId, UserId, WorkspaceId};

    /// Whether it receives hints for each of the three audiences.
    fn visible_kinds(access: &Access) -> [bool; 3] {
        [Audience::Read, Audience::Full, Audience::Admins].map(|audience| audience.includes(access))
    }

    #[test]
    fn hints_for_admins_reach_owners_and_admins_but_no_key() {
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
        let key = |scope| Access::of_key(workspace, KeyId::from_uuid(Uuid::from_u128(2)), scope);
        let expected = [[true, false, false], [true, false, false], [true, true, false]];
        assert_eq!(Scope::ALL.map(|scope| visible_kinds(&key(scope))), expected);
        let person = |role| Access::of_user(workspace, UserId::from_uuid(Uuid::from_u128(3)), role);
        let expected = [[true, false, false], [true, false, false], [true, true, true], [true, true, true]];
        assert_eq!(Role::ALL.map(|role| visible_kinds(&person(role))), expected);
        assert_eq!(
            visible_kinds(&Access::system(workspace)),
            [true, true, false],
            "the service itself does not count as an admin"
        );
    }
}
