//! Text in rows of users, keys, requests and the audit log.

use super::{Text, texts};
use crate::access::attempts::LoginAttempts;
use crate::access::usage::UsageRecord;
use crate::access::{ApiKey, Invitation, Session, SigningKey, User, Workspace};
use crate::audit::AuditEntry;
use crate::ports::{IdempotencyRecord, StoreHold, StoredBody};

texts! {
    Workspace {
        text: name;
        shown: time_zone, opt_out_words, default_country;
        beside: id, plan, created_at, updated_at, version, live_workspace, outbound, assign_on_reply, deletion
    }
    ApiKey {
        text: name, prefix, last_four, last_used_address;
        shown: ;
        beside: id, lineage, workspace, scope, digest, created_at, expires_at, revoked_at, last_used_at, updated_at, version
    }
    User {
        text: name, password_hash;
        shown: email;
        beside: id, language, operator, reset, created_at, updated_at, version
    }
    Invitation { text: ; shown: email; beside: id, role, digest, invited_by, created_at, expires_at }
    Session { text: network; shown: user_agent; beside: id, user, created_at, expires_at, revoked_at }
    SigningKey { text: sealed; shown: ; beside: id, created_at }
    LoginAttempts { text: account; shown: ; beside: count, next_at, updated_at }
    UsageRecord {
        text: method, route, request_id, address, error_code;
        shown: errors;
        beside: workspace, id, at, key, user, status, duration_ms
    }
    IdempotencyRecord {
        text: method, route, key, location, etag, body;
        shown: ;
        beside: fingerprint, status, created_at
    }
    AuditEntry { text: ; shown: by, object, changes; beside: id, workspace, at, action }
    StoreHold { text: reason; shown: ; beside: since, is_restored }
}

impl Text for StoredBody {
    fn text(&self) -> usize {
        self.to_stored_bytes().len()
    }
}
