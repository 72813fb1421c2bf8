//! Users: their memberships, sessions and login attempts.

use tidings_domain::access::attempts::LoginAttempts;
use tidings_domain::access::{
    Access, Language, LiveSession, Member, PasswordReset, RefreshToken, Role, Session, SigningKey, User, UserAgent,
};
use tidings_domain::ids::SigningKeyId;
use tidings_domain::ports::{
    AccessChange, AccountChange, Change, ChangeSet, CommitError, Conflict, Guard, Object, Row, UniqueKey,
};

use crate::Ports;
use crate::fixtures::{NOW, World, a_sandbox, a_user, an_invitation, at, conflict, id};
use crate::ledger::guards::at_once;

/// Stores a new user with a session.
pub(crate) async fn a_session(world: &World, email: &str) -> Session {
    let user = a_user(email);
    let session = Session::new(id(), user.id, NOW);
    let mut set = ChangeSet::outside();
    set.change(Change::Insert(Row::User(user))).change(Change::Account(AccountChange::InsertSession(session.clone())));
    world.ports.ledger.commit(set).await.expect("a session");
    session
}

/// Users are found by ID and by email; an update changes all fields.
pub async fn finds_users_by_id_and_email(store: Ports) {
    let world = World::new(&store).await;
    let mut user = a_user("Ada@example.com");
    world.add(Change::Insert(Row::User(user.clone()))).await;
    let by_email = async |email: &str| store.accounts.user_by_email(&email.parse().unwrap()).await.unwrap();
    assert_eq!(by_email("ada@EXAMPLE.com").await, Some(user.clone()));
    assert_eq!(by_email("bob@example.com").await, None);
    assert_eq!(store.accounts.user(user.id).await, Ok(Some(user.clone())));
    assert_eq!(store.accounts.user(id()).await, Ok(None));
    user = User { name: "Ada L.".to_owned(), password_hash: "new".to_owned(), operator: true, version: 2, ..user };
    world.add(Change::Update(Row::User(user.clone()))).await;
    assert_eq!(store.accounts.user(user.id).await, Ok(Some(user.clone())));
    let (email, language) = ("ada@example.org".parse().unwrap(), Some(Language::De));
    user = User { email, language, version: 3, ..user };
    world.add(Change::Update(Row::User(user.clone()))).await;
    assert_eq!((by_email("ada@example.com").await, by_email("ada@example.org").await), (None, Some(user.clone())));
    world.add(Change::Insert(Row::User(a_user("bob@example.com")))).await;
    user = User { email: "bob@example.com".parse().unwrap(), language: None, version: 4, ..user };
    let taken = world
        .commit(|set| {
            set.change(Change::Update(Row::User(user)));
        })
        .await
        .unwrap_err();
    assert_eq!(taken, CommitError::Conflict(Conflict::Exists(UniqueKey::UserEmail)));
}

/// Only the last password reset is found by its token, until it is used; the user's memberships are found, too.
pub async fn finds_a_user_by_the_last_password_reset(store: Ports) {
    let world = World::new(&store).await;
    let mut user = a_user("ada@example.com");
    world.add(Change::Insert(Row::User(user.clone()))).await;
    let found = async |digest| store.accounts.user_by_reset(digest).await.unwrap();
    for (number, digest) in [[1; 32], [2; 32]].into_iter().enumerate() {
        let reset = Some(PasswordReset { digest, expires_at: at(60) });
        user = User { reset, version: number as i64 + 2, ..user };
        world.add(Change::Update(Row::User(user.clone()))).await;
        assert_eq!(found(digest).await, Some(user.clone()));
    }
    assert_eq!(found([1; 32]).await, None);
    user = User { reset: None, version: 4, ..user };
    world.add(Change::Update(Row::User(user.clone()))).await;
    assert_eq!(found([2; 32]).await, None);
    assert_eq!(store.accounts.memberships(user.id).await, Ok(vec![]));
    world.add(Change::Insert(Row::Member(Member::new(user.id, Role::Admin, NOW)))).await;
    let places = store.accounts.memberships(user.id).await.unwrap();
    assert_eq!(
        places.iter().map(|it| (it.workspace.id, it.role)).collect::<Vec<_>>(),
        [(world.workspace, Role::Admin)]
    );
}

/// The networks of a user's sessions, ended or not, are known; other users' sessions do not count.
pub async fn knows_the_networks_of_the_sessions_of_a_user(store: Ports) {
    let world = World::new(&store).await;
    let own = a_session(&world, "ada@example.com").await;
    let other = a_session(&world, "bob@example.com").await;
    let begun = |id, user, network| Session::new(id, user, NOW).from_network(network);
    let ended = Session { revoked_at: Some(at(1)), ..begun(id(), own.user, "192.0.2.1") };
    world.add(Change::Account(AccountChange::InsertSession(ended.clone()))).await;
    world.add(Change::Account(AccountChange::InsertSession(begun(id(), other.user, "2001:db8::")))).await;
    let has = async |email: &str, network: &str| {
        store.accounts.has_signed_in(&email.parse().unwrap(), network).await.unwrap()
    };
    assert!(has("ada@example.com", "192.0.2.1").await && has("bob@example.com", "2001:db8::").await);
    assert!(!has("ada@example.com", "2001:db8::").await && !has("nobody@example.com", "192.0.2.1").await);
    let kept = store.accounts.session(ended.id).await.unwrap().unwrap();
    assert_eq!(kept.session, ended);
}

/// Members are listed with their current roles.
pub async fn members_are_found_with_their_roles(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (ada, bob) =
        (world.member("ada@example.com", Role::Owner).await, world.member("bob@example.com", Role::Viewer).await);
    other.add(Change::Insert(Row::Member(Member::new(ada.id, Role::Viewer, NOW)))).await;
    let role = async |world: &World, user: &User| store.members.role(&world.access, user.id).await.unwrap();
    assert_eq!((role(&world, &ada).await, role(&other, &ada).await), (Some(Role::Owner), Some(Role::Viewer)));
    assert_eq!((role(&world, &bob).await, role(&other, &bob).await), (Some(Role::Viewer), None));
    let promoted =
        Member { role: Role::Admin, updated_at: at(1), version: 2, ..Member::new(bob.id, Role::Viewer, NOW) };
    world.add(Change::Update(Row::Member(promoted.clone()))).await;
    let entry = store.members.member(&world.access, bob.id).await.unwrap().unwrap();
    assert_eq!((entry.member, entry.user), (promoted, bob.clone()));
    let all = store.members.members(&world.access).await.unwrap();
    assert_eq!(all.iter().map(|it| it.user.id).collect::<Vec<_>>(), [ada.id, bob.id]);
    world.add(Change::Delete(Object::Member(bob.id))).await;
    assert_eq!(role(&world, &bob).await, None);
}

/// A sandbox has exactly the members of its live workspace.
pub async fn a_sandbox_has_the_members_of_its_live_workspace(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (ada, bob) =
        (world.member("ada@example.com", Role::Admin).await, other.member("bob@example.com", Role::Owner).await);
    world.add(Change::Access(AccessChange::InsertInvitation(an_invitation("eve@example.com", 1)))).await;
    let founding = a_sandbox(world.workspace);
    world.add(Change::Access(AccessChange::FoundWorkspace(Box::new(founding.clone())))).await;
    let sandbox = store.access.workspace(founding.workspace.id).await.unwrap();
    assert_eq!(sandbox, Some(founding.workspace.clone()));
    assert_eq!(store.access.sandbox_of(world.workspace).await, Ok(sandbox));
    assert_eq!(store.access.sandbox_of(other.workspace).await, Ok(None));
    let access = Access::system(founding.workspace.id);
    assert_eq!(store.channels.default_channel(&access).await.unwrap(), Some(founding.channel));
    assert_eq!(store.members.role(&access, ada.id).await, Ok(Some(Role::Admin)));
    assert_eq!(store.members.role(&access, bob.id).await, Ok(None));
    assert_eq!(store.members.members(&access).await.unwrap().len(), 1);
    assert_eq!(store.members.invitations(&access).await.unwrap().len(), 1);
}

/// Two owners who each rely on the other leave at the same time: one of them stays.
pub async fn keeps_one_of_two_owners_who_leave_at_once(store: Ports) {
    let world = World::new(&store).await;
    for round in 0..5 {
        let owners = [
            world.member(&format!("ada{round}@example.com"), Role::Owner).await,
            world.member(&format!("bob{round}@example.com"), Role::Owner).await,
        ];
        let leave = owners.clone().map(|owner| {
            let world = world.clone();
            async move {
                world
                    .commit(|set| {
                        set.guard(Guard::OwnerBeside(owner.id));
                        set.change(Change::Delete(Object::Member(owner.id)));
                    })
                    .await
            }
        });
        let outcomes = at_once(leave).await;
        assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{outcomes:?}");
        assert!(outcomes.contains(&Err(CommitError::Conflict(Conflict::LastOwner))), "{outcomes:?}");
        for left in store.members.members(&world.access).await.unwrap() {
            world.add(Change::Delete(Object::Member(left.user.id))).await;
        }
    }
}

/// A session is found with its user and their memberships. An ended session stays ended.
pub async fn finds_a_session_with_its_memberships_and_ends_it_once(store: Ports) {
    let world = World::new(&store).await;
    let session = a_session(&world, "ada@example.com").await;
    let other = Session::new(id(), session.user, at(1));
    world.add(Change::Account(AccountChange::InsertSession(other.clone()))).await;
    world.add(Change::Insert(Row::Member(Member::new(session.user, Role::Member, NOW)))).await;
    let sandbox = a_sandbox(world.workspace).workspace;
    let founding = tidings_domain::ports::Founding { workspace: sandbox.clone(), ..a_sandbox(world.workspace) };
    world.add(Change::Access(AccessChange::FoundWorkspace(Box::new(founding)))).await;

    let holder = store.accounts.session(session.id).await.unwrap().unwrap();
    assert_eq!((holder.session, holder.user.id), (session.clone(), session.user));
    let places: Vec<_> = holder.memberships.iter().map(|it| (it.workspace.id, it.role)).collect();
    assert_eq!(places.len(), 2);
    assert!(places.contains(&(world.workspace, Role::Member)) && places.contains(&(sandbox.id, Role::Member)));
    assert_eq!(holder.memberships.iter().map(|it| it.workspace.home()).max(), Some(world.workspace));
    assert_eq!(store.accounts.session(id()).await, Ok(None));

    let end_others =
        |except| Change::Account(AccountChange::RevokeSessionsOf { user: session.user, except, at: at(5) });
    world.add(end_others(Some(other.id))).await;
    let revoked = async |id| store.accounts.session(id).await.unwrap().unwrap().session.revoked_at;
    assert_eq!((revoked(session.id).await, revoked(other.id).await), (Some(at(5)), None));
    let again = world.change(Change::Account(AccountChange::RevokeSession { session: session.id, at: at(9) })).await;
    assert_eq!(conflict(again), Conflict::Stale(Object::Session(session.id)));
    world.add(end_others(None)).await;
    assert_eq!(revoked(other.id).await, Some(at(5)));
}

/// A user's sessions that can be refreshed are listed with their last refresh: no ended or expired sessions, none that
/// was not refreshed in time, and none of other users.
pub async fn lists_the_live_sessions_of_a_user(store: Ports) {
    let world = World::new(&store).await;
    let first = a_session(&world, "ada@example.com").await;
    let others = a_session(&world, "bob@example.com").await;
    let begun = |seconds| Session::new(id(), first.user, at(seconds));
    let second = begun(5).from_network("192.0.2.1").with_user_agent(UserAgent::read(b"Browser/1.0"));
    let third = begun(5);
    let ended = Session { revoked_at: Some(at(7)), ..begun(6) };
    let over = Session { expires_at: at(50), ..begun(7) };
    let forgotten = begun(8);
    for session in [&second, &third, &ended, &over, &forgotten] {
        world.add(Change::Account(AccountChange::InsertSession(session.clone()))).await;
    }
    let token = |digest, session: &Session, seconds| RefreshToken::new([digest; 32], session, at(seconds));
    let used = RefreshToken { rotated_at: Some(at(9)), ..token(1, &first, 0) };
    let unused = RefreshToken { expires_at: at(50), ..token(7, &forgotten, 8) };
    let rest = [
        token(2, &first, 9),
        token(3, &second, 5),
        token(4, &third, 5),
        token(5, &ended, 6),
        token(6, &over, 7),
        token(8, &others, 0),
    ];
    for token in [used, unused].into_iter().chain(rest) {
        world.add(Change::Account(AccountChange::InsertRefreshToken(token))).await;
    }

    let live = async |limit| store.accounts.live_sessions(first.user, at(50), limit).await.unwrap();
    let shown = |session: &Session, last| LiveSession { session: session.clone(), last_used_at: at(last) };
    let mut expected = [shown(&second, 5), shown(&third, 5), shown(&first, 9)];
    if second.id < third.id {
        expected.swap(0, 1);
    }
    assert_eq!(live(100).await, expected);
    assert_eq!(live(2).await, expected[..2]);
    let before = store.accounts.live_sessions(first.user, at(49), 100).await.unwrap();
    assert_eq!(before.len(), 5, "before that time all live sessions are listed");
    assert_eq!(store.accounts.live_sessions(id(), at(50), 100).await, Ok(vec![]));
}

/// Of several concurrent uses of a refresh token, one succeeds.
pub async fn a_refresh_token_is_used_once(store: Ports) {
    let world = World::new(&store).await;
    let session = a_session(&world, "ada@example.com").await;
    let token = RefreshToken::new([1; 32], &session, NOW);
    world.add(Change::Account(AccountChange::InsertRefreshToken(token.clone()))).await;
    assert_eq!(store.accounts.refresh_token([1; 32]).await, Ok(Some((token.clone(), session.clone()))));
    assert_eq!(store.accounts.refresh_token([2; 32]).await, Ok(None));
    let uses = (0..8).map(|_| {
        let (world, successor) = (world.clone(), RefreshToken::new([2; 32], &session, at(3)));
        async move {
            let mut set = ChangeSet::outside();
            set.guard(Guard::Live(Object::Session(successor.session)));
            set.change(Change::Account(AccountChange::RotateRefreshToken { digest: [1; 32], at: at(3) }));
            set.change(Change::Account(AccountChange::InsertRefreshToken(successor)));
            world.ports.ledger.commit(set).await
        }
    });
    let outcomes = at_once(uses.collect::<Vec<_>>()).await;
    assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.into_iter().filter(Result::is_err).all(|it| conflict(it) == Conflict::NoLink));
    let used = RefreshToken { rotated_at: Some(at(3)), ..token };
    assert_eq!(store.accounts.refresh_token([1; 32]).await, Ok(Some((used, session))));
}

/// Attempts counted from the same reading are one attempt; the others are counted again.
pub async fn counts_log_ins_based_on_the_same_reading_once(store: Ports) {
    let world = World::new(&store).await;
    let try_again = |count: i64| LoginAttempts {
        account: "ada@example.com".to_owned(),
        count,
        next_at: at(60),
        updated_at: at(u64::try_from(count).unwrap()),
    };
    for before in 0..3 {
        let tries = (0..8).map(|_| {
            let (world, attempts) = (world.clone(), try_again(before + 1));
            async move { world.change(Change::Account(AccountChange::CountLogin { before, attempts })).await }
        });
        let outcomes = at_once(tries.collect::<Vec<_>>()).await;
        assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{outcomes:?}");
        let kept = store.accounts.login_attempts("ada@example.com").await.unwrap();
        assert_eq!(kept, Some(try_again(before + 1)));
    }
    assert_eq!(store.accounts.login_attempts("bob@example.com").await, Ok(None));
    for _ in 0..2 {
        world.add(Change::Account(AccountChange::ForgetLogins { account: "ada@example.com".to_owned() })).await;
        assert_eq!(store.accounts.login_attempts("ada@example.com").await, Ok(None));
    }
}

/// The newest key signs; all keys verify.
pub async fn signing_keys_are_found_newest_first(store: Ports) {
    assert_eq!(store.accounts.newest_signing_key().await, Ok(None));
    let key = |seconds, byte| SigningKey { id: id::<SigningKeyId>(), sealed: vec![byte; 9], created_at: at(seconds) };
    let keys = [key(5, 1), key(9, 2), key(1, 3)];
    for key in keys.clone() {
        let mut set = ChangeSet::outside();
        set.change(Change::Account(AccountChange::InsertSigningKey(key)));
        store.ledger.commit(set).await.unwrap();
    }
    assert_eq!(store.accounts.newest_signing_key().await, Ok(Some(keys[1].clone())));
    for key in keys {
        assert_eq!(store.accounts.signing_key(key.id).await, Ok(Some(key)));
    }
    assert_eq!(store.accounts.signing_key(id()).await, Ok(None));
}

/// An invitation is found with its workspace until it is accepted.
pub async fn invitations_are_found_by_their_digest(store: Ports) {
    let world = World::new(&store).await;
    let invitation = an_invitation("eve@example.com", 7);
    world.add(Change::Access(AccessChange::InsertInvitation(invitation.clone()))).await;
    let found = async |digest| store.accounts.invitation([digest; 32]).await.unwrap();
    assert_eq!(found(7).await, Some((invitation.clone(), world.workspace)));
    assert_eq!(found(8).await, None);
    assert_eq!(store.members.invitations(&world.access).await, Ok(vec![invitation.clone()]));
    world.add(Change::Delete(Object::Invitation(invitation.id))).await;
    assert_eq!(found(7).await, None);
}

/// Expired sessions are removed with their tokens, and old login attempts are removed; others stay.
pub async fn removes_expired_sessions_and_old_log_in_attempts(store: Ports) {
    let world = World::new(&store).await;
    let (over, live) = (a_session(&world, "ada@example.com").await, a_session(&world, "bob@example.com").await);
    let later = Session { id: id(), expires_at: live.expires_at.plus(std::time::Duration::from_secs(9)), ..live };
    world.add(Change::Account(AccountChange::InsertSession(later.clone()))).await;
    for (digest, session) in [(1, &over), (2, &later)] {
        world
            .add(Change::Account(AccountChange::InsertRefreshToken(RefreshToken::new([digest; 32], session, NOW))))
            .await;
    }
    for (account, seconds) in [("old", 1), ("new", 9)] {
        let attempts = LoginAttempts { account: account.to_owned(), count: 1, next_at: NOW, updated_at: at(seconds) };
        world.add(Change::Account(AccountChange::CountLogin { before: 0, attempts })).await;
    }
    let now = over.expires_at.plus(std::time::Duration::from_secs(1));
    assert_eq!(store.accounts.expire(now, at(5), 100).await, Ok(2));
    assert_eq!(store.accounts.expire(now, at(5), 100).await, Ok(0));
    assert_eq!(store.accounts.session(over.id).await, Ok(None));
    assert_eq!(store.accounts.refresh_token([1; 32]).await, Ok(None));
    assert!(store.accounts.session(later.id).await.unwrap().is_some());
    assert!(store.accounts.refresh_token([2; 32]).await.unwrap().is_some());
    assert_eq!(store.accounts.login_attempts("old").await, Ok(None));
    assert!(store.accounts.login_attempts("new").await.unwrap().is_some());
}
