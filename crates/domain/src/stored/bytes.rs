/// A field with text.
pub(super) trait Measured {
    /// Returns its length in bytes.
    fn bytes(&self) -> i64;
}

impl Measured for String {
    fn bytes(&self) -> i64 {
        self.len() as i64
    }
}
