//! Requests that are counted by the network that they come from.

use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::client_address::network;
use crate::problem::{Code, Problem};
use crate::state::State;

/// The answer to a credential that opened nothing, counted by the address that it came from: an
/// address that guesses is told to wait. A good credential from there is let in meanwhile.
pub(crate) fn wrong(state: &State, request: &HttpRequest, refused: Problem) -> Problem {
    let decision = state.wrong.admit(network_of(state, request), state.login_limit, state.services.ports.clock.now());
    match decision.admitted {
        true => refused,
        false => Problem::new(Code::TooManyAttempts).retry_after(u64::from(decision.reset_seconds)),
    }
}

/// The network that is counted: who comes by no network is one client.
pub(crate) fn network_of(state: &State, request: &HttpRequest) -> IpAddr {
    state.proxies.client(request).map_or(IpAddr::from([0, 0, 0, 0]), network)
}

/// Counts a request to a page that is open to all.
///
/// # Errors
/// 429.
pub(crate) fn count_page(state: &State, request: &HttpRequest) -> Result<(), Problem> {
    let decision = state.pages.admit(network_of(state, request), state.page_limit, state.services.ports.clock.now());
    if decision.admitted {
        return Ok(());
    }
    let problem = Problem::new(Code::RateLimited)
        .detail("Your address has reached the limit of page requests per minute. Retry after `Retry-After` seconds.");
    Err(problem.retry_after(u64::from(decision.reset_seconds)))
}
