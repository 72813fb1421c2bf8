//! Users who sign in.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::{Client, Server};

/// A user with an account.
#[derive(Debug, Clone)]
pub struct Person {
    pub id: String,
    pub email: String,
    pub password: String,
}

/// The setting that lifts the limit on sign-ins.
pub const OFTEN: (&str, &str) = ("TIDINGS__AUTH__ATTEMPTS_PER_MINUTE", "1000000");

impl Person {
    /// Creates a user with the command line, which generates the password.
    pub fn new(server: &Server, workspace: &str, role: &str) -> Self {
        Self::made(server, workspace, role, &[])
    }

    /// Creates a user who is also an operator.
    pub fn operator(server: &Server, workspace: &str, role: &str) -> Self {
        Self::made(server, workspace, role, &["--operator"])
    }

    fn made(server: &Server, workspace: &str, role: &str, more: &[&str]) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let email = format!("{role}{}@example.com", MADE.fetch_add(1, Ordering::SeqCst));
        let mut command = vec!["user", "create", "--email", &email, "--workspace", workspace, "--role", role];
        command.extend(more);
        let made = server.command(&command);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Self { id: text("id"), email: text("email"), password: text("password") }
    }

    pub async fn tokens(&self, server: &Server) -> Value {
        let body = json!({"email": self.email, "password": self.password});
        Client::new(&server.base, None).post("/auth/login", &body).await.expect(200)
    }

    pub async fn token(&self, server: &Server) -> String {
        self.tokens(server).await["access_token"].as_str().unwrap().to_owned()
    }

    /// Returns a signed-in client.
    pub async fn client(&self, server: &Server) -> Client {
        Client::new(&server.base, Some(&self.token(server).await))
    }
}
