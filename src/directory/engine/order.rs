/// The positions of a shelf sorted by something. Ties are in id order, and those without a value come last.
pub(super) struct Order {
    sorted: Vec<u32>,
    without_value: Vec<u32>,
}

impl Order {
    pub(super) fn new<'a, T: 'a, K: Ord>(values: impl Iterator<Item = &'a T>, key: impl Fn(&'a T) -> Option<K>) -> Self {
        let mut keyed = Vec::with_capacity(values.size_hint().0);
        let mut without_value = Vec::new();
        // No school has 2³² of anything.
        for (position, value) in (0_u32..).zip(values) {
            match key(value) {
                Some(key) => keyed.push((key, position)),
                None => without_value.push(position),
            }
        }
        keyed.sort_unstable();
        Self { sorted: keyed.into_iter().map(|(_, position)| position).collect(), without_value }
    }

    pub(super) fn ascending(&self) -> impl Iterator<Item = usize> {
        self.sorted.iter().chain(&self.without_value).map(|position| *position as usize)
    }

    /// Ties turn around as well; those without a value stay last.
    pub(super) fn descending(&self) -> impl Iterator<Item = usize> {
        self.sorted.iter().rev().chain(self.without_value.iter().rev()).map(|position| *position as usize)
    }
}
