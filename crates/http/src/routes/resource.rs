//! Paths with their routes and handlers, for registration and for look-ups by path.

use std::sync::Arc;

use actix_web::http::Method;
use futures::future::LocalBoxFuture;

use super::{ENDPOINTS, ROUTES};
use crate::conversations::inbound::Incoming;
use crate::pipeline::route::Route;
use crate::pipeline::state::State;
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

type Answering = LocalBoxFuture<'static, Result<Answer, Problem>>;

/// The handler of a route. A handler that accesses a workspace needs a request that passed the checks.
#[derive(Clone, Copy)]
pub(crate) enum Endpoint {
    /// Needs no credential.
    Public(fn(Arc<State>) -> Answering),
    /// Needs a signature of the raw body.
    Signed(fn(Incoming) -> Answering),
    /// Needs a request that passed the checks.
    Keyed(fn(RequestContext) -> Answering),
}

/// A path with its routes and handlers.
#[derive(Clone, Copy)]
pub(crate) struct Resource {
    routes: &'static [Route],
    endpoints: &'static [Endpoint],
}

impl Resource {
    pub(crate) fn path(self) -> &'static str {
        self.routes.first().map_or("", |route| route.path)
    }

    /// Returns the route of this method, and its handler. HEAD uses GET, without sending the body.
    pub(crate) fn route(self, method: &Method) -> Option<(&'static Route, Endpoint)> {
        let wanted = if method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().zip(self.endpoints.iter().copied()).find(|(route, _)| route.method == *wanted)
    }

    pub(crate) fn is_signed(self) -> bool {
        self.endpoints.iter().any(|endpoint| matches!(endpoint, Endpoint::Signed(_)))
    }

    pub(crate) fn allow(self) -> String {
        let mut methods: Vec<&str> = self.routes.iter().map(|route| route.method.as_str()).collect();
        if let Some(get) = methods.iter().position(|method| *method == "GET") {
            methods.insert(get + 1, "HEAD");
        }
        methods.push("OPTIONS");
        methods.join(", ")
    }
}

pub(crate) fn resources() -> impl Iterator<Item = Resource> {
    let mut rest = ENDPOINTS;
    ROUTES.chunk_by(|route, next| route.path == next.path).map(move |routes| {
        let (endpoints, others) = rest.split_at_checked(routes.len()).unwrap_or((rest, &[]));
        rest = others;
        Resource { routes, endpoints }
    })
}

/// A handler that shows an object.
pub(crate) type Show = fn(RequestContext) -> Answering;

/// Returns the API route that shows one object at this path.
pub(crate) fn shown_at(path: &str) -> Option<(&'static Route, Show)> {
    let given: Vec<&str> = path.split('/').collect();
    let fits = |resource: &Resource| {
        let template: Vec<&str> = resource.path().split('/').collect();
        let pairs = template.iter().zip(&given);
        template.len() == given.len() && pairs.into_iter().all(|(own, given)| own == given || own.starts_with('{'))
    };
    let (route, endpoint) = resources().find(fits)?.route(&Method::GET)?;
    let is_object = route.path.ends_with('}') && !route.traits.query && !route.traits.streams;
    match endpoint {
        Endpoint::Keyed(show) if is_object && route.scope.required().is_some() => Some((route, show)),
        Endpoint::Keyed(_) | Endpoint::Public(_) | Endpoint::Signed(_) => None,
    }
}
