//! The titles of operations. The title of a handler's operation is the first line of its documentation.

use utoipa::openapi::OpenApi;

use super::visit::each_operation;

/// Removes the full stop of each title, and distinguishes `PUT` from `PATCH` where both have one handler.
pub(super) fn complete(document: &mut OpenApi) {
    for operation in each_operation(document) {
        if let Some(title) = &mut operation.summary
            && title.ends_with('.')
        {
            title.pop();
        }
    }
    for item in document.paths.paths.values_mut() {
        let (Some(put), Some(patch)) = (&mut item.put, &item.patch) else { continue };
        if put.summary == patch.summary {
            put.summary = put.summary.take().map(|title| format!("{title} with PUT"));
            put.description = put.description.take().map(|text| format!("{text}\n\n`PATCH` does the same."));
        }
    }
}
