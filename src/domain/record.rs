use std::sync::{Arc, OnceLock};

use bytes::Bytes;

/// A value and its rendering, which is made once and then shared by every page that shows the value.
#[derive(Debug)]
pub struct Record<T> {
    value: T,
    renderings: [OnceLock<Bytes>; 2],
}

impl<T> Record<T> {
    /// A record that has not been rendered yet.
    pub const fn new(value: T) -> Self {
        Self { value, renderings: [const { OnceLock::new() }; 2] }
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// The value as rendered by `render`, which runs at most once a form. `alternate` selects the second of the two forms that a
    /// record can have, such as a club that lists its leader among the participants.
    ///
    /// The caller must render a form in the same way every time.
    pub fn rendered(&self, alternate: bool, render: impl FnOnce(&T) -> Bytes) -> &Bytes {
        self.renderings[usize::from(alternate)].get_or_init(|| render(&self.value))
    }
}

/// One page of an answer.
#[derive(Debug, Clone)]
pub struct Page<T> {
    /// How many records the filter found, on all pages.
    pub total: u64,
    /// The records of this page, in order.
    pub items: Vec<Arc<Record<T>>>,
}

impl<T> Page<T> {
    /// The values of this page, in order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|record| record.value())
    }
}
