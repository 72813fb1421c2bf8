//! `tidings user …`.

use std::io::{IsTerminal, Read, stdin};

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{Role, UserView};
use tidings_domain::contacts::Email;
use tidings_domain::platform::NewUser;
use tidings_domain::time::Timestamp;

use super::keys::access_to;
use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use crate::wiring::Adapters;

/// The length of a password in characters, as in the API.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=200;

pub(crate) struct UserOptions {
    pub(crate) email: Email,
    pub(crate) workspace: String,
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) operator: bool,
}

/// A user, with the password if it was generated.
#[derive(Serialize)]
struct CreatedUserView<'a> {
    #[serde(flatten)]
    view: UserView,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'a str>,
}

/// A password, and whether it was generated.
struct ChosenPassword {
    password: SecretString,
    made: bool,
}

/// Returns the first line of standard input; if it is empty or a terminal, a generated password.
fn choose(adapters: &Adapters) -> Result<ChosenPassword, Failure> {
    let mut given = String::new();
    if !stdin().is_terminal() {
        stdin()
            .lock()
            .take(4_096)
            .read_to_string(&mut given)
            .map_err(Failure::while_doing("cannot read the password"))?;
    }
    let first = given.lines().next().unwrap_or_default();
    if first.is_empty() {
        return Ok(ChosenPassword { password: adapters.new_password(), made: true });
    }
    if !LENGTH.contains(&first.chars().count()) {
        return Err(Failure::with_advice("the password must have 10 to 200 characters"));
    }
    Ok(ChosenPassword { password: first.to_owned().into(), made: false })
}

impl ChosenPassword {
    /// Returns a generated password for the output.
    fn visible_password(&self) -> Option<&str> {
        self.made.then(|| self.password.expose_secret())
    }
}

pub(crate) fn create_user(options: UserOptions, json: bool) -> Result<(), Failure> {
    block_on(async {
        let adapters = opened().await?;
        let workspace = access_to(&adapters.tidings.access, &options.workspace).await?.workspace();
        let chosen = choose(&adapters)?;
        let UserOptions { email, role, name, operator, .. } = options;
        let command =
            NewUser { email: email.clone(), name, password: chosen.password.clone(), operator, workspace, role };
        let user = adapters.tidings.platform.create_user(command).await.map_err(|error| match error {
            Error::Taken { .. } => Failure::with_advice(format!("a user with the email {email} already exists")),
            error => error.into(),
        })?;
        tell(UserView::from(&user), &chosen, json);
        Ok(())
    })
}

pub(crate) fn set_password(email: &Email, json: bool) -> Result<(), Failure> {
    block_on(async {
        let adapters = opened().await?;
        let login = &adapters.tidings.login;
        let found = login.ports.accounts.user_by_email(email).await.map_err(Error::from)?;
        let user = found.ok_or_else(|| Failure::with_advice(format!("no user has the email {email}")))?;
        let chosen = choose(&adapters)?;
        login.set_password(user.id, chosen.password.clone()).await?;
        let changed = login.ports.accounts.user(user.id).await.map_err(Error::from)?.unwrap_or(user);
        tell(UserView::from(&changed), &chosen, json);
        Ok(())
    })
}

/// A password reset link, as in the API.
#[derive(Serialize)]
struct ResetLinkView {
    reset_token: String,
    reset_url: Option<String>,
    expires_at: Timestamp,
}

pub(crate) fn make_reset_link(email: &Email, json: bool) -> Result<(), Failure> {
    block_on(async {
        let adapters = opened().await?;
        let login = &adapters.tidings.login;
        let found = login.ports.accounts.user_by_email(email).await.map_err(Error::from)?;
        let user = found.ok_or_else(|| Failure::with_advice(format!("no user has the email {email}")))?;
        let link = login.reset_link(user.id).await?;
        let reset_token = link.token.expose_secret().to_owned();
        let base = Settings::load()?.public_url;
        let reset_url = base.map(|base| format!("{base}/reset/{reset_token}"));
        let view = ResetLinkView { reset_token, reset_url, expires_at: link.expires_at };
        if json {
            print_json(&view);
            return Ok(());
        }
        eprintln!("Valid once, until {}. Shown once:", view.expires_at);
        if view.reset_url.is_none() {
            eprintln!("http.public_url is not set: write the address of the server before this path.");
        }
        print_line(view.reset_url.as_deref().unwrap_or(&format!("/reset/{}", view.reset_token)));
        Ok(())
    })
}

fn tell(view: UserView, chosen: &ChosenPassword, json: bool) {
    if json {
        return print_json(&CreatedUserView { view, password: chosen.visible_password() });
    }
    print_line(&format!("{}  {}", view.id, view.email));
    if let Some(password) = chosen.visible_password() {
        eprintln!("Password, shown once:");
        print_line(password);
    }
}
