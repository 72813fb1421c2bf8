//! Requests that are counted by client network.

use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::connections::client_address::network;
use crate::limits::rate_windows::RateWindows;
use crate::pipeline::state::State;
use crate::response::problem::{Code, Problem};

/// Maximum number of look-ups of new access tokens in a rolling minute, from a client network that has reached the
/// limit of rejected credentials. Each session has a new token every few minutes.
pub(crate) const TOKEN_LOOKUPS: u32 = 600;

/// Rejects an unknown credential before its look-up, if the client network has reached the limit of rejected
/// credentials. Counts nothing.
///
/// # Errors
/// 429 beyond the limit.
pub(crate) fn check_rejected(state: &State, request: &HttpRequest) -> Result<(), Problem> {
    let now = state.services.ports.clock.now();
    match state.wrong.wait(&network_of(state, request), state.login_limit, now) {
        None => Ok(()),
        Some(seconds) => Err(Problem::new(Code::TooManyAttempts).retry_after(seconds.into())),
    }
}

/// Counts the look-up of a new access token, if the client network has reached the limit of rejected credentials.
/// Another client in the network cannot lock a user out, and forged tokens cannot load the store without limit.
///
/// # Errors
/// 429 beyond [`TOKEN_LOOKUPS`].
pub(crate) fn count_token_lookup(state: &State, request: &HttpRequest) -> Result<(), Problem> {
    if check_rejected(state, request).is_ok() {
        return Ok(());
    }
    let now = state.services.ports.clock.now();
    let decision = state.token_lookups.admit(network_of(state, request), TOKEN_LOOKUPS, now);
    match decision.admitted {
        true => Ok(()),
        false => Err(Problem::new(Code::TooManyAttempts).retry_after(u64::from(decision.reset_seconds))),
    }
}

/// Counts a rejected credential by client network, and returns the response: the problem, or 429 beyond the limit.
pub(crate) fn wrong(state: &State, request: &HttpRequest, refused: Problem) -> Problem {
    refused_beyond(state, &state.wrong, request, refused)
}

/// Same as [`wrong`] for a token in a path or a body, such as that of an invitation or of a link to a file. It is
/// counted separately: any page can make the browsers of a network open such paths, and must not block new keys there.
pub(crate) fn wrong_token(state: &State, request: &HttpRequest, refused: Problem) -> Problem {
    refused_beyond(state, &state.wrong_tokens, request, refused)
}

fn refused_beyond(state: &State, counts: &RateWindows<IpAddr>, request: &HttpRequest, refused: Problem) -> Problem {
    let decision = counts.admit(network_of(state, request), state.login_limit, state.services.ports.clock.now());
    match decision.admitted {
        true => refused,
        false => Problem::new(Code::TooManyAttempts).retry_after(u64::from(decision.reset_seconds)),
    }
}

/// Returns the network that is counted. Requests without a network address count as one client.
pub(crate) fn network_of(state: &State, request: &HttpRequest) -> IpAddr {
    state.proxies.client(request).map_or(IpAddr::from([0, 0, 0, 0]), network)
}

/// Counts a request for a public page.
///
/// # Errors
/// 429 beyond the limit.
pub(crate) fn count_page(state: &State, request: &HttpRequest) -> Result<(), Problem> {
    let decision = state.pages.admit(network_of(state, request), state.page_limit, state.services.ports.clock.now());
    if decision.admitted {
        return Ok(());
    }
    let problem = Problem::new(Code::RateLimited)
        .detail("Your address has reached the limit of page requests per minute. Retry after `Retry-After` seconds.");
    Err(problem.retry_after(u64::from(decision.reset_seconds)))
}
