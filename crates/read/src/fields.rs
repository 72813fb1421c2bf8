//! Reading of an object's fields, with all errors collected.

#[cfg(test)]
mod tests;

use super::{Input, Members, Read, Report, Violation, pointer_to, texts, wrong_type};
use crate::patch::Patch;

/// The fields of one object, read by name. Errors are collected in one [`Report`], with pointers from the root of the
/// input. A method that returns `None` for a required value has reported the error.
///
/// `C` is a context that a reader can fill besides its result. Nested objects share it.
#[derive(Debug)]
pub struct Fields<'a, C = ()> {
    members: Members<'a>,
    /// JSON pointer to the object.
    at: String,
    known: Vec<&'static str>,
    read_only: &'static [&'static str],
    report: &'a mut Report,
    /// The context.
    pub context: &'a mut C,
}

impl Fields<'_> {
    /// Reads an object. Fields that `read` does not ask for are errors. `report` contains earlier errors.
    ///
    /// # Errors
    /// All violations; only `wrong_type` if the input is not an object.
    pub fn read<T>(
        input: Input<'_>,
        mut report: Report,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Vec<Violation>> {
        let Input::Object(members) = input else { return Err(wrong_type("an object", input).into()) };
        let mut context = ();
        let mut fields = Fields::over(members, &mut report, &mut context);
        let value = read(&mut fields);
        fields.finish();
        report.judge(value)
    }

    /// Reads an object that is part of something larger, such as a window in a step. Unknown fields are errors as in
    /// [`only`](Self::only); they are listed first, with the known names.
    ///
    /// # Errors
    /// All violations, with pointers relative to the object.
    pub fn read_part<T>(
        members: Members<'_>,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Vec<Violation>> {
        let (mut found, mut context) = (Report::default(), ());
        let mut fields = Fields::over(members, &mut found, &mut context);
        let value = read(&mut fields);
        let known = fields.known;
        let (mut report, mut context) = (Report::default(), ());
        Fields::over(members, &mut report, &mut context).only(&known);
        report.extend(found.into_violations());
        report.judge(value)
    }
}

impl<'a, C> Fields<'a, C> {
    /// The fields of a root object. Pointers are relative to it.
    pub fn over(members: Members<'a>, report: &'a mut Report, context: &'a mut C) -> Self {
        Self { members, at: String::new(), known: Vec::new(), read_only: &[], report, context }
    }

    /// Sets the names of read-only fields, which get a specific message.
    pub fn read_only(&mut self, names: &'static [&'static str]) {
        self.read_only = names;
    }

    /// Reads a field that must be present and not `null`.
    pub fn required<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name) {
            None => {
                self.wrong(name, "required", "is required");
                None
            }
            Some(input) => self.not_null(name, input, reader),
        }
    }

    /// Reads a field that may be absent, but not `null`.
    pub fn optional<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        let input = self.find(name)?;
        self.not_null(name, input, reader)
    }

    /// Reads a field that may be absent or `null`; both mean the same, as when an object is created.
    pub fn nullable<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name)? {
            Input::Null => None,
            input => self.take(name, input, reader),
        }
    }

    /// Reads a field that may be absent or `null`; both mean the default.
    pub fn or_default<T: Default>(&mut self, name: &'static str, reader: impl Read<T>) -> T {
        self.nullable(name, reader).unwrap_or_default()
    }

    /// Reads a field of a merging update: absent keeps the value, `null` clears it. After an error it is
    /// [`Patch::Keep`].
    pub fn patch<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Patch<T> {
        match self.find(name) {
            None => Patch::Keep,
            Some(Input::Null) => Patch::Clear,
            Some(input) => self.take(name, input, reader).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// Reads a field that must be present; for `null` it returns `Some(None)`. `missing` is the message if it is
    /// absent.
    #[allow(clippy::option_option, reason = "`null` and wrong are different")]
    pub fn present<T>(&mut self, name: &'static str, reader: impl Read<T>, missing: &str) -> Option<Option<T>> {
        match self.find(name) {
            None => {
                self.wrong(name, "required", missing);
                None
            }
            Some(Input::Null) => Some(None),
            Some(input) => self.take(name, input, reader).map(Some),
        }
    }

    /// Reads a field that may be absent. The reader decides whether `null` is accepted.
    pub fn given<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        let input = self.find(name)?;
        self.take(name, input, reader)
    }

    /// Whether the field is present, even if `null`. The field then counts as known.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// The raw value of a field.
    pub fn get(&self, name: &str) -> Option<Input<'a>> {
        self.members.get(name)
    }

    /// JSON pointer to the object, from the root.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// Reports an error in a field.
    pub fn wrong(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.error(&pointer_to(name), code, message);
    }

    /// Reports an error at `pointer`, relative to the object.
    pub fn error(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        self.adopt([Violation::new(pointer, code, message)]);
    }

    /// Adds violations of a part of the object, with pointers relative to the object.
    pub fn adopt(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let at = &self.at;
        self.report.extend(violations.into_iter().map(|violation| violation.under(at)));
    }

    /// Whether anything was wrong so far.
    pub fn is_wrong(&self) -> bool {
        !self.report.is_empty()
    }

    /// Whether the maximum number of violations is reached. Readers may then stop.
    pub fn is_full(&self) -> bool {
        self.report.is_full()
    }

    /// The known names that are similar to an unknown one.
    pub fn near<'n>(&mut self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
        self.report.hints.nearest(name, known)
    }

    /// Reports unknown fields first, for readers that know all names in advance.
    pub fn only(&mut self, known: &[&str]) {
        self.refuse_others(known, |near| format!("unknown field; {}", texts::offered(near, known)));
    }

    /// Same as [`only`](Self::only); `say` builds the message from the similar names.
    pub fn refuse_others(&mut self, known: &[&str], say: impl Fn(&[&str]) -> String) {
        for name in self.members.names().filter(|name| !known.contains(name)) {
            if self.is_full() {
                return;
            }
            let near = self.near(name, known.iter().copied());
            self.wrong(name, "unknown_field", say(&near));
        }
    }

    /// Reads a nested object at `pointer`, relative to this one.
    pub fn within<T>(
        &mut self,
        pointer: &str,
        members: Members<'_>,
        read: impl FnOnce(&mut Fields<'_, C>) -> Option<T>,
    ) -> Option<T> {
        let at = format!("{}{pointer}", self.at);
        let (report, context) = (&mut *self.report, &mut *self.context);
        read(&mut Fields { members, at, known: Vec::new(), read_only: &[], report, context })
    }

    /// Reports the fields that were not asked for.
    fn finish(mut self) {
        for name in self.members.names() {
            if self.is_full() {
                return;
            }
            if self.known.contains(&name) {
                continue;
            }
            let message = if self.read_only.contains(&name) {
                format!("is read-only{}", texts::meant(name, self.known.iter().copied()))
            } else {
                texts::unknown_name("field", name, &self.known)
            };
            self.wrong(name, "unknown_field", message);
        }
    }

    fn find(&mut self, name: &'static str) -> Option<Input<'a>> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.members.get(name)
    }

    fn not_null<T>(&mut self, name: &str, input: Input<'_>, reader: impl Read<T>) -> Option<T> {
        if input == Input::Null {
            self.wrong(name, "null_not_allowed", "must not be null");
            return None;
        }
        self.take(name, input, reader)
    }

    /// Reads the given value of a field.
    pub fn take<T>(&mut self, name: &str, input: Input<'_>, reader: impl Read<T>) -> Option<T> {
        match reader.read(input) {
            Ok(value) => Some(value),
            Err(violations) => {
                self.adopt(violations.into_iter().map(|violation| violation.within(name)));
                None
            }
        }
    }
}
