use std::sync::OnceLock;

/// A value and its rendering, which is made once and then shared by every page that shows the value.
#[derive(Debug)]
pub struct Record<T> {
    value: T,
    rendering: OnceLock<Box<[u8]>>,
}

impl<T> Record<T> {
    /// A record that has not been rendered yet.
    pub const fn new(value: T) -> Self {
        Self { value, rendering: OnceLock::new() }
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// The rendering, if there is one already.
    pub fn kept(&self) -> Option<&[u8]> {
        self.rendering.get().map(|rendering| &**rendering)
    }

    /// The value as rendered by `render`, which runs at most once, and must render in the same way every time.
    pub fn rendered(&self, render: impl FnOnce(&mut Vec<u8>, &T)) -> &[u8] {
        self.rendering.get_or_init(|| {
            let mut rendering = Vec::with_capacity(1024);
            render(&mut rendering, &self.value);
            // The copy has the length that it needs, and what was rendered makes room for the next one.
            rendering.as_slice().into()
        })
    }
}

/// One page of an answer.
///
/// It borrows the records: to count who shares each would be to write to as many places in memory.
#[derive(Debug, Clone)]
pub struct Page<'a, T> {
    /// How many records the filter found, on all pages.
    pub total: u64,
    /// The records of this page, in order.
    pub items: Vec<&'a Record<T>>,
}

impl<'a, T> Page<'a, T> {
    /// The values of this page, in order.
    pub fn values(&self) -> impl Iterator<Item = &'a T> {
        self.items.iter().map(|record| record.value())
    }
}
