//! Rows of sessions, refresh tokens, signing keys and counted logins.

use diesel::prelude::*;
use tidings_domain::access::attempts::LoginAttempts;
use tidings_domain::access::{RefreshToken, Session, SigningKey, UserAgent};
use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{login_attempts, refresh_tokens, sessions, signing_keys};

crate::write::write_texts! {
    SessionRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("sessions") },
    TokenRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("refresh_tokens") },
    SigningKeyRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("signing_keys") },
    AttemptsRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("login_attempts") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = sessions)]
    pub(super) struct SessionRow in sessions {
        id: DbId,
        pub(super) user_id: DbId,
        created_at: DbTime,
        expires_at: DbTime,
        revoked_at: Option<DbTime>,
        network: Option<String>,
        user_agent: Option<String>,
    }
}

impl SessionRow {
    pub(super) fn write(it: &Session) -> Self {
        Self {
            id: it.id.into(),
            user_id: it.user.into(),
            created_at: it.created_at.into(),
            expires_at: it.expires_at.into(),
            revoked_at: it.revoked_at.map(Into::into),
            network: it.network.clone(),
            user_agent: it.user_agent.as_ref().map(|it| it.as_str().to_owned()),
        }
    }

    pub(super) fn read(self) -> Session {
        Session {
            id: self.id.to_typed_id(),
            user: self.user_id.to_typed_id(),
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            revoked_at: self.revoked_at.map(|time| time.0),
            network: self.network,
            user_agent: self.user_agent.map(UserAgent::from_store),
        }
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = refresh_tokens)]
    pub(super) struct TokenRow in refresh_tokens {
        digest: Vec<u8>,
        session_id: DbId,
        issued_at: DbTime,
        expires_at: DbTime,
        rotated_at: Option<DbTime>,
    }
}

impl TokenRow {
    pub(super) fn write(it: &RefreshToken) -> Self {
        Self {
            digest: it.digest.to_vec(),
            session_id: it.session.into(),
            issued_at: it.issued_at.into(),
            expires_at: it.expires_at.into(),
            rotated_at: it.rotated_at.map(Into::into),
        }
    }

    pub(super) fn read(self) -> Result<RefreshToken, Fault> {
        let digest = self.digest.try_into().map_err(|_| StoreError::Corrupt("a digest".to_owned()))?;
        Ok(RefreshToken {
            digest,
            session: self.session_id.to_typed_id(),
            issued_at: self.issued_at.0,
            expires_at: self.expires_at.0,
            rotated_at: self.rotated_at.map(|time| time.0),
        })
    }
}

crate::write::row! {
    #[derive(Clone, Queryable, Selectable)]
    #[diesel(table_name = signing_keys)]
    pub(super) struct SigningKeyRow in signing_keys {
        id: DbId,
        sealed: Vec<u8>,
        created_at: DbTime,
    }
}

impl SigningKeyRow {
    pub(super) fn write(it: &SigningKey) -> Self {
        Self { id: it.id.into(), sealed: it.sealed.clone(), created_at: it.created_at.into() }
    }

    pub(super) fn read(self) -> SigningKey {
        SigningKey { id: self.id.to_typed_id(), sealed: self.sealed, created_at: self.created_at.0 }
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = login_attempts)]
    pub(super) struct AttemptsRow in login_attempts {
        account: String,
        pub(super) count: i64,
        pub(super) next_at: DbTime,
        pub(super) updated_at: DbTime,
    }
}

impl AttemptsRow {
    pub(super) fn write(it: &LoginAttempts) -> Self {
        Self {
            account: it.account.clone(),
            count: it.count,
            next_at: it.next_at.into(),
            updated_at: it.updated_at.into(),
        }
    }

    pub(super) fn read(self) -> LoginAttempts {
        LoginAttempts {
            account: self.account,
            count: self.count,
            next_at: self.next_at.0,
            updated_at: self.updated_at.0,
        }
    }
}
