//! Reading the fields of an object and gathering everything that is wrong with them.

#[cfg(test)]
mod tests;

use super::{Input, Members, Read, Report, Violation, pointer_to, texts, wrong_type};
use crate::patch::Patch;

/// The fields of one object, as its reader asks for them by name. What is wrong is noted in one [`Report`], with its
/// place in all that is read. A method that gives `None` where a value was needed has noted why.
///
/// `C` is what a reader gathers beside the values, for the objects inside this one, too.
#[derive(Debug)]
pub struct Fields<'a, C = ()> {
    members: Members<'a>,
    /// Where the object stands: a pointer.
    at: String,
    known: Vec<&'static str>,
    read_only: &'static [&'static str],
    report: &'a mut Report,
    /// What is gathered.
    pub context: &'a mut C,
}

impl Fields<'_> {
    /// Reads an object; of its fields, what nobody asked for is refused. What was wrong before stands in `report`.
    ///
    /// # Errors
    /// Everything that is wrong; `wrong_type` alone where it is no object.
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

    /// Reads an object that stands in something larger, such as a window in a step. What nobody asked for is refused as
    /// by [`only`](Self::only): it is told before the rest, with the names that are known.
    ///
    /// # Errors
    /// Everything that is wrong; pointers are relative to the object.
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
    /// The fields of an object that stands by itself: pointers are relative to it.
    pub fn over(members: Members<'a>, report: &'a mut Report, context: &'a mut C) -> Self {
        Self { members, at: String::new(), known: Vec::new(), read_only: &[], report, context }
    }

    /// Names that answers show and requests may not set: they are told apart from unknown ones.
    pub fn read_only(&mut self, names: &'static [&'static str]) {
        self.read_only = names;
    }

    /// A field that must be there and not `null`.
    pub fn required<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name) {
            None => {
                self.wrong(name, "required", "is required");
                None
            }
            Some(input) => self.not_null(name, input, reader),
        }
    }

    /// A field that may be absent, but not `null`.
    pub fn optional<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        let input = self.find(name)?;
        self.not_null(name, input, reader)
    }

    /// A field that may be absent or `null`, which is the same, as when an object is made.
    pub fn nullable<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name)? {
            Input::Null => None,
            input => self.take(name, input, reader),
        }
    }

    /// A field that may be absent or `null`, which is the same as its default.
    pub fn or_default<T: Default>(&mut self, name: &'static str, reader: impl Read<T>) -> T {
        self.nullable(name, reader).unwrap_or_default()
    }

    /// A field of a merging update: absent keeps, `null` clears, a value sets. After an error it is
    /// [`Patch::Keep`].
    pub fn patch<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Patch<T> {
        match self.find(name) {
            None => Patch::Keep,
            Some(Input::Null) => Patch::Clear,
            Some(input) => self.take(name, input, reader).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// A field that must be there, be it `null`: `Some(None)` then. `missing` is what is said where it is not there.
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

    /// A field that may be absent; whether it may be `null` is for the reader to say.
    pub fn given<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        let input = self.find(name)?;
        self.take(name, input, reader)
    }

    /// Whether the field is there, be it `null`; it need not be asked for otherwise.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// The field's value, whatever it is.
    pub fn get(&self, name: &str) -> Option<Input<'a>> {
        self.members.get(name)
    }

    /// Where the object stands: a pointer into all that is read.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// Notes that something is wrong with a field.
    pub fn wrong(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.error(&pointer_to(name), code, message);
    }

    /// Notes that something is wrong at `pointer`, relative to the object.
    pub fn error(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        self.adopt([Violation::new(pointer, code, message)]);
    }

    /// Takes over what is wrong with a part of the object; pointers are relative to it.
    pub fn adopt(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let at = &self.at;
        self.report.extend(violations.into_iter().map(|violation| violation.under(at)));
    }

    /// Whether something is wrong with all that was read so far.
    pub fn is_wrong(&self) -> bool {
        !self.report.is_empty()
    }

    /// Whether as much is wrong as is told; whoever comes here looks no further.
    pub fn is_full(&self) -> bool {
        self.report.is_full()
    }

    /// The known names that are near to one that is none.
    pub fn near<'n>(&mut self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
        self.report.hints.nearest(name, known)
    }

    /// Refuses fields of other names before any is read, for those who know all names beforehand.
    pub fn only(&mut self, known: &[&str]) {
        self.refuse_others(known, |near| format!("unknown field; {}", texts::offered(near, known)));
    }

    /// As [`only`](Self::only); `say` makes the sentence of the known names that are near.
    pub fn refuse_others(&mut self, known: &[&str], say: impl Fn(&[&str]) -> String) {
        for name in self.members.names().filter(|name| !known.contains(name)) {
            if self.is_full() {
                return;
            }
            let near = self.near(name, known.iter().copied());
            self.wrong(name, "unknown_field", say(&near));
        }
    }

    /// Reads an object inside this one, which stands at `pointer`, relative to this one.
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

    /// Refuses what nobody asked for.
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
                texts::unknown_name("field", name, self.known.iter().copied())
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

    /// What a reader makes of the value of a field, whatever it is.
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
