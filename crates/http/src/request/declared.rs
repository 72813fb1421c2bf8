//! Reads the declared parts of a request: the parameters of its path and its query, and the fields of its body.

use tidings_domain::access::Scope;
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Body, Fields};
use tidings_domain::references::Deletion;

use super::RequestContext;
use super::path::Name;
use super::query::{Parameters, Query, flag, parameters};
use crate::response::problem::{Code, FieldError, Problem};

parameters! {
    /// The parameter of deletions of objects that can be in use.
    pub(crate) struct ForceParams {
        /// Whether to delete the object even if other objects use it. They lose the reference.
        one force: bool = flag().default(false);
    }
}

parameters! {
    /// The parameter of updates that can remove options.
    pub(crate) struct RemovalParams {
        /// Whether to remove options even if contacts or other objects use them. Needs the scope `full`.
        one force: bool = flag().default(false);
    }
}

parameters! {
    /// The parameter of deletions with a dry run.
    pub(crate) struct DryRunParams {
        /// Whether nothing is changed, and the response shows what would be.
        one dry_run: bool = flag().default(false);
    }
}

impl RequestContext {
    /// Returns the query parameters.
    pub fn query(&self) -> Query {
        Query::parse(&self.raw_query)
    }

    /// Reads the declared parameters, and rejects all others.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn parameters<P: Parameters>(&self) -> Result<P, Problem> {
        let mut query = self.query();
        let read = query.read();
        query.finish()?;
        Ok(read)
    }

    /// Reads a parameter of the path. Call it after reading the body: errors in the request come before missing
    /// objects.
    ///
    /// # Errors
    /// 404 for an invalid value.
    pub(crate) fn path_parameter<T>(&self, name: &Name<T>) -> Result<T, Problem> {
        name.read(self.route.path, &self.path).ok_or_else(|| self.missing(name))
    }

    /// Returns the problem of a missing object.
    pub(crate) fn missing<T>(&self, name: &Name<T>) -> Problem {
        name.kind_among_several(self.route.path).map_or_else(|| Problem::new(Code::NotFound), Problem::missing)
    }

    /// Reads the declared body. Query parameters are rejected together with the errors of the body.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn body<T: Body>(&self) -> Result<T, Problem> {
        self.read(T::READ_ONLY, T::read)
    }

    /// Reads the declared body of a route with query parameters; `query` are the remaining ones.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn body_with<T: Body>(&self, query: Query) -> Result<T, Problem> {
        self.read_with(query, T::READ_ONLY, T::read)
    }

    /// Reads the fields of the body; `read_only` are fields of the response that a request cannot set. Query parameters
    /// are rejected as well.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn read<T>(
        &self,
        read_only: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Problem> {
        self.read_with(self.query(), read_only, read)
    }

    /// Reads the fields of the body of a route with query parameters; `query` are the remaining ones.
    ///
    /// # Errors
    /// 422 with all errors.
    pub fn read_with<T>(
        &self,
        query: Query,
        read_only: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Problem> {
        let mut errors = query.into_errors();
        let read = self.body.read(|fields| {
            fields.read_only(read_only);
            read(fields)
        });
        match read {
            Ok(value) if errors.is_empty() => Ok(value),
            Ok(_) => Err(Problem::validation(errors)),
            Err(violations) => {
                errors.extend(violations.into_iter().map(FieldError::from));
                Err(Problem::validation(errors))
            }
        }
    }

    /// Reads the valid parts of an invalid body, to find further errors. Errors of the parts themselves are ignored,
    /// because they were already reported. Returns `None` if the body contains text that no store accepts.
    pub fn salvage<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        let mut found = None;
        if !self.body.violations.is_empty() {
            return None;
        }
        let _ = self.body.read(|fields| {
            found = Some(read(fields));
            Some(())
        });
        found
    }

    /// Reads `force` of an update that can remove something; it needs the scope `full`. Pass the remaining parameters
    /// to [`RequestContext::read_with`].
    ///
    /// # Errors
    /// 403 if the scope is not sufficient.
    pub fn removal(&self) -> Result<(Deletion, Query), Problem> {
        let mut query = self.query();
        let removal = deletion(query.read::<RemovalParams>().force);
        if removal == Deletion::ByForce {
            self.demand(Scope::Full)?;
        }
        Ok((removal, query))
    }

    /// Reads `?force=true`: whether to delete an object that is in use.
    ///
    /// # Errors
    /// 422 for other parameters and values.
    pub fn deletion(&self) -> Result<Deletion, Problem> {
        Ok(deletion(self.parameters::<ForceParams>()?.force))
    }
}

fn deletion(force: Option<bool>) -> Deletion {
    if force.unwrap_or_default() { Deletion::ByForce } else { Deletion::IfUnused }
}
