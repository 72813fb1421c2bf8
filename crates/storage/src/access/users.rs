//! Users who sign in.

use diesel::prelude::*;
use tidings_domain::access::{Language, PasswordReset, User};
use tidings_domain::contacts::Email;
use tidings_domain::ports::StoreError;

use crate::connection::faults::Fault;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::users;

crate::write::write_texts! {
    UserRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("users") },
}

crate::write::row! {
    #[derive(Clone, Queryable, Selectable)]
    #[diesel(table_name = users)]
    pub(crate) struct UserRow in users {
        id: DbId,
        email: String,
        name: String,
        password_hash: String,
        operator: bool,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        reset_digest: Option<Vec<u8>>,
        reset_expires_at: Option<DbTime>,
        language: Option<String>,
    }
}

impl UserRow {
    pub(crate) fn write(it: &User) -> Self {
        Self {
            id: it.id.into(),
            email: it.email.to_string(),
            name: it.name.clone(),
            password_hash: it.password_hash.clone(),
            operator: it.operator,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            reset_digest: it.reset.map(|it| it.digest.to_vec()),
            reset_expires_at: it.reset.map(|it| it.expires_at.into()),
            language: it.language.map(|it| it.as_str().to_owned()),
        }
    }

    pub(crate) fn read(self) -> Result<User, Fault> {
        let reset = match (self.reset_digest, self.reset_expires_at) {
            (Some(digest), Some(expires_at)) => {
                let digest = digest.try_into().map_err(|_| StoreError::Corrupt("a digest".to_owned()))?;
                Some(PasswordReset { digest, expires_at: expires_at.0 })
            }
            _ => None,
        };
        Ok(User {
            id: self.id.to_typed_id(),
            email: Email::from_store(self.email),
            name: self.name,
            language: self.language.as_deref().map(|it| word(it, "language", Language::parse)).transpose()?,
            password_hash: self.password_hash,
            operator: self.operator,
            reset,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}
