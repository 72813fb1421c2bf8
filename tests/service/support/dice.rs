//! Random numbers that can be repeated.

/// A deterministic random number generator (SplitMix64), so a failing seed can be repeated.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }

    /// Returns a number from `-most` to `most`.
    pub fn within(&mut self, most: i64) -> i64 {
        self.below(most as u64 * 2 + 1) as i64 - most
    }
}
