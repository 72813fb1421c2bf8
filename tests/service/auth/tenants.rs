//! Two tenants. One of them invites, accepts, moves and removes users in every order. Its sessions can read nothing of
//! the other tenant, and the other tenant's users get the same responses as before.

use serde_json::{Value, json};

use super::{nobody, text};
use crate::races::pace::dice_of;
use crate::support::people::OFTEN;
use crate::support::{Client, Person, Reply, Server, Store};

/// The address that Corp invites. No account has proved to own it.
const CFO: &str = "cfo@corp.example";
const PASSWORD: &str = "a password of Evil";

/// A request of Evil about users.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    InviteCfo,
    InviteVictim,
    InvitePuppet,
    AcceptNew,
    AcceptSignedIn,
    MoveToCfo,
    Reset,
    ChangeRole,
    Leave,
    Remove,
    ReachVictim,
}

const ACTS: [Act; 9] = [
    Act::InviteCfo,
    Act::InviteVictim,
    Act::InvitePuppet,
    Act::AcceptNew,
    Act::AcceptSignedIn,
    Act::MoveToCfo,
    Act::Reset,
    Act::ChangeRole,
    Act::Leave,
];

/// The acts that the random sequences add. Two acts are repeated, because together they create an account with the
/// address that Corp invites.
const MORE_ACTS: [Act; 4] = [Act::Remove, Act::ReachVictim, Act::InviteCfo, Act::AcceptNew];
/// Requests are not limited: the sequences send hundreds of them in a minute.
const NO_LIMITS: [(&str, &str); 3] =
    [OFTEN, ("TIDINGS__LIMITS__PERSON", "1000000"), ("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")];

/// A workspace with a hostile owner. The owner reads every token that the workspace creates and controls a second
/// account.
struct Evil<'s> {
    server: &'s Server,
    workspace: String,
    /// The address that Corp invites.
    cfo: String,
    owner: Client,
    puppet: Person,
    /// The session of the puppet.
    signed_in: Client,
    /// The token of the last invitation.
    token: String,
    /// All sessions of Evil so far.
    sessions: Vec<Client>,
    accepted: usize,
}

impl<'s> Evil<'s> {
    async fn new(server: &'s Server, cfo: &str) -> Self {
        let workspace = server.new_workspace("Evil");
        let owner = Person::new(server, &workspace, "owner").client(server).await;
        let puppet = Person::new(server, &workspace, "member");
        let signed_in = puppet.client(server).await;
        let sessions = vec![owner.clone(), signed_in.clone()];
        let (cfo, token) = (cfo.to_owned(), "tdg_token_none".to_owned());
        Self { server, workspace, cfo, owner, puppet, signed_in, token, sessions, accepted: 0 }
    }

    fn members(&self) -> String {
        format!("/platform/workspaces/{}/members", self.workspace)
    }

    async fn sign_in(&mut self, email: &str, password: &str) -> Option<Client> {
        let body = json!({"email": email, "password": password});
        let reply = nobody(self.server).post("/auth/login", &body).await;
        let token = (reply.status == 200).then(|| text(&reply.json(), "access_token"))?;
        let client = nobody(self.server).with_key(Some(&token));
        self.sessions.push(client.clone());
        Some(client)
    }

    /// Returns the puppet in its last session, or in a new one; the owner if the puppet cannot sign in.
    async fn puppet(&mut self) -> Client {
        if self.signed_in.get("/auth/me").await.status == 200 {
            return self.signed_in.clone();
        }
        let Person { email, password, .. } = self.puppet.clone();
        let found = self.sign_in(&email, &password).await;
        self.signed_in = found.unwrap_or_else(|| self.owner.clone());
        self.signed_in.clone()
    }

    async fn invite(&mut self, email: &str) -> Reply {
        let reply = self.owner.post(&self.members(), &json!({"email": email, "role": "admin"})).await;
        if reply.status == 201 {
            self.token = text(&reply.json(), "invitation_token");
        }
        reply
    }

    async fn accept(&self, client: &Client, body: &Value) -> Reply {
        client.post(&format!("/auth/invitations/{}", self.token), body).await
    }

    async fn act(&mut self, act: Act, victim: &Person) {
        let reply = match act {
            Act::InviteCfo => {
                let email = self.cfo.clone();
                self.invite(&email).await
            }
            Act::InviteVictim => self.invite(&victim.email).await,
            Act::InvitePuppet => {
                let email = self.puppet.email.clone();
                self.invite(&email).await
            }
            Act::AcceptNew => {
                let reply = self.accept(&nobody(self.server), &json!({"name": "Eve", "password": PASSWORD})).await;
                if reply.status == 201 {
                    let email = text(&reply.json(), "email");
                    self.sign_in(&email, PASSWORD).await;
                }
                reply
            }
            Act::AcceptSignedIn => {
                let (puppet, password) = (self.puppet().await, self.puppet.password.clone());
                self.accept(&puppet, &json!({"current_password": password})).await
            }
            Act::MoveToCfo => {
                let (puppet, password) = (self.puppet().await, self.puppet.password.clone());
                let body = json!({"email": self.cfo, "current_password": password});
                let reply = puppet.call("PATCH", "/auth/me", Some(&body)).await;
                if reply.status == 200 && reply.json()["user"]["id"] == self.puppet.id.as_str() {
                    self.puppet.email.clone_from(&self.cfo);
                }
                reply
            }
            Act::Reset => {
                let path = format!("{}/{}/reset-link", self.members(), self.puppet.id);
                let reply = self.owner.post(&path, &json!(null)).await;
                if reply.status == 201 {
                    let path = format!("/auth/reset-links/{}", text(&reply.json(), "reset_token"));
                    nobody(self.server).post(&path, &json!({"password": PASSWORD})).await.expect(200);
                    PASSWORD.clone_into(&mut self.puppet.password);
                }
                reply
            }
            Act::ChangeRole => {
                let path = format!("{}/{}", self.members(), self.puppet.id);
                self.owner.call("PATCH", &path, Some(&json!({"role": "owner"}))).await
            }
            Act::Leave => {
                let (puppet, path) = (self.puppet().await, format!("{}/{}", self.members(), self.puppet.id));
                puppet.delete(&path).await
            }
            Act::Remove => {
                let path = format!("{}/{}", self.members(), self.puppet.id);
                self.owner.delete(&path).await
            }
            Act::ReachVictim => {
                let path = format!("{}/{}", self.members(), victim.id);
                self.owner.call("PATCH", &path, Some(&json!({"role": "owner"}))).await.expect(404);
                self.owner.post(&format!("{path}/reset-link"), &json!(null)).await.expect(404);
                let reply = self.owner.delete(&path).await;
                reply.expect(404);
                reply
            }
        };
        assert!(reply.status < 500, "{act:?}: {}", reply.text);
        if matches!(act, Act::AcceptNew | Act::AcceptSignedIn) && reply.status == 201 {
            self.accepted += 1;
        }
    }
}

/// The other tenant, with its owner and a member.
struct Corp {
    workspace: String,
    owner: Client,
    victim: Person,
    client: Client,
}

impl Corp {
    async fn new(server: &Server) -> Self {
        let workspace = server.new_workspace("Corp");
        let owner = Person::new(server, &workspace, "owner").client(server).await;
        let victim = Person::new(server, &workspace, "member");
        let client = victim.client(server).await;
        Self { workspace, owner, victim, client }
    }

    /// Corp invites the address that Evil wants. Only the invited person gets the token.
    async fn invite(&self, cfo: &str) {
        let path = format!("/platform/workspaces/{}/members", self.workspace);
        let invited = self.owner.post(&path, &json!({"email": cfo, "role": "admin"})).await;
        assert_eq!(invited.expect(201)["status"], "invited");
    }

    /// Returns the responses to Corp's users: to the victim without `X-Workspace-Id`, and to the owner about the
    /// members.
    async fn answers(&self) -> Vec<(u16, Value)> {
        let path = format!("/platform/workspaces/{}/members", self.workspace);
        let mut answers = Vec::new();
        for (client, path) in [
            (&self.client, "/api/v1/tags"),
            (&self.client, "/auth/me"),
            (&self.owner, "/auth/me"),
            (&self.owner, path.as_str()),
        ] {
            let reply = client.get(path).await;
            answers.push((reply.status, reply.json()));
        }
        answers
    }

    async fn is_closed_to(&self, sessions: &[Client], case: &str) {
        for session in sessions {
            let headers = [("x-workspace-id", self.workspace.as_str())];
            let tags = session.send("GET", "/api/v1/tags", &headers, None).await.unwrap();
            let platform = session.get(&format!("/platform/workspaces/{}", self.workspace)).await;
            for reply in [tags, platform] {
                assert!([401, 404].contains(&reply.status), "{case}: {}", reply.text);
            }
        }
    }
}

async fn invited_accounts_read_nothing_of_the_other_tenant(store: Store, followers: &[Act]) {
    let server = Server::start(store, &[OFTEN]);
    let corp = Corp::new(&server).await;
    corp.invite(CFO).await;
    let before = corp.answers().await;
    for first in ACTS {
        let mut evil = Evil::new(&server, CFO).await;
        for second in followers {
            for act in [first, *second] {
                evil.act(act, &corp.victim).await;
                assert_eq!(corp.answers().await, before, "{act:?} of {first:?}, {second:?}");
            }
        }
        corp.is_closed_to(&evil.sessions, &format!("{first:?} and others")).await;
    }
    // Evil now has an account with the address. Corp invites it again, and Corp's owner can still reset the victim's
    // password.
    corp.invite(CFO).await;
    let mut evil = Evil::new(&server, CFO).await;
    evil.sign_in(CFO, PASSWORD).await;
    corp.is_closed_to(&evil.sessions, "an account of the invited address").await;
    let path = format!("/platform/workspaces/{}/members/{}/reset-link", corp.workspace, corp.victim.id);
    corp.owner.post(&path, &json!(null)).await.expect(201);
    corp.client.get("/api/v1/tags").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invited_accounts_read_nothing_of_the_other_tenant_on_sqlite() {
    let followers = [Act::InviteCfo, Act::AcceptNew, Act::AcceptSignedIn, Act::MoveToCfo, Act::Reset, Act::Leave];
    invited_accounts_read_nothing_of_the_other_tenant(Store::sqlite().await, &followers).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invited_accounts_read_nothing_of_the_other_tenant_on_postgresql() {
    let followers = [Act::AcceptNew, Act::MoveToCfo];
    invited_accounts_read_nothing_of_the_other_tenant(Store::postgres().await, &followers).await;
}

/// Runs random sequences of six acts, ten against each Corp, because a workspace may create 20 invitations per hour.
/// The sequences are the same in each run, unless `TIDINGS_TEST_SEED` sets another seed.
async fn random_actions_read_nothing_of_the_other_tenant(store: Store, corps: usize) {
    let server = Server::start(store, &NO_LIMITS);
    let acts: Vec<Act> = ACTS.into_iter().chain(MORE_ACTS).collect();
    let mut accepted = 0;
    for group in 0..corps {
        let corp = Corp::new(&server).await;
        for number in group * 10..(group + 1) * 10 {
            let cfo = format!("cfo{number}@corp.example");
            corp.invite(&cfo).await;
            let before = corp.answers().await;
            let mut evil = Evil::new(&server, &cfo).await;
            let (mut dice, mut sequence) = (dice_of(number), Vec::new());
            for _ in 0..6 {
                let act = acts[dice.below(acts.len() as u64) as usize];
                sequence.push(act);
                evil.act(act, &corp.victim).await;
                let case = format!("sequence {number}: {sequence:?}");
                assert_eq!(corp.answers().await, before, "{case}");
                corp.is_closed_to(&evil.sessions, &case).await;
            }
            accepted += evil.accepted;
        }
    }
    assert!(accepted > 0, "no action accepted an invitation, so the sequences test nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_actions_read_nothing_of_the_other_tenant_on_sqlite() {
    random_actions_read_nothing_of_the_other_tenant(Store::sqlite().await, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_actions_read_nothing_of_the_other_tenant_on_postgresql() {
    random_actions_read_nothing_of_the_other_tenant(Store::postgres().await, 1).await;
}

/// A user with an account accepts while signed in. No other credential of that account can accept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accepts_an_invitation_to_an_account_only_while_signed_in() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let elsewhere = server.new_workspace("Elsewhere");
    let owner = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let person = Person::new(&server, &elsewhere, "viewer");
    let (client, other) = (person.client(&server).await, person.client(&server).await);
    let members = format!("/platform/workspaces/{}/members", server.workspace);
    let invited = owner.post(&members, &json!({"email": person.email, "role": "member"})).await.expect(201);
    let unknown = owner.post(&members, &json!({"email": "unknown@example.com", "role": "member"})).await.expect(201);
    let shape =
        |it: &Value| it.as_object().unwrap().iter().map(|(name, it)| (name.clone(), it.is_null())).collect::<Vec<_>>();
    assert_eq!(shape(&invited), shape(&unknown));
    client.get("/api/v1/me").await.expect(200);

    let path = format!("/auth/invitations/{}", text(&invited, "invitation_token"));
    let (new, own) = (json!({"name": "X", "password": PASSWORD}), json!({"current_password": person.password}));
    assert_eq!(nobody(&server).post(&path, &new).await.expect(409)["code"], "sign_in_required");
    assert_eq!(nobody(&server).post(&path, &own).await.expect(401)["code"], "unauthorized");
    assert_eq!(
        server.client().post(&path, &own).await.expect(401)["code"],
        "unauthorized",
        "an API key cannot accept an invitation"
    );
    let both = json!({"name": "X", "current_password": person.password});
    for (body, pointer) in
        [(both, "/name"), (json!({}), "/name"), (json!({"current_password": "wrong"}), "/current_password")]
    {
        assert_eq!(client.post(&path, &body).await.expect(422)["errors"][0]["pointer"], pointer);
    }
    assert_eq!(client.post(&path, &own).await.expect(201)["id"], person.id.as_str());
    client.post(&path, &own).await.expect(404);
    other.until_refused("/auth/me").await;
    let account = client.get("/auth/me").await.expect(200);
    assert_eq!(account["memberships"].as_array().unwrap().len(), 2);
    assert_eq!(client.get("/api/v1/tags").await.code(), "workspace_required", "the user now has two workspaces");
    client.delete(&format!("{members}/{}", person.id)).await.expect(204);
    assert_eq!(client.get("/auth/me").await.expect(200)["memberships"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_the_twenty_first_invitation_of_an_hour() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let owner = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let members = format!("/platform/workspaces/{}/members", server.workspace);
    let invite = async |number: u32| {
        owner.post(&members, &json!({"email": format!("p{number}@example.com"), "role": "viewer"})).await
    };
    for number in 0..20 {
        invite(number).await.expect(201);
    }
    let refused = invite(20).await;
    assert_eq!(refused.expect(429)["code"], "invitation_limit");
    let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((3_000..=3_600).contains(&seconds), "{seconds}");
}
