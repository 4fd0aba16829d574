use std::sync::OnceLock;

/// A value with its cached rendering, which all pages that contain the value share.
#[derive(Debug)]
pub struct Record<T> {
    value: T,
    rendering: OnceLock<Box<[u8]>>,
}

impl<T> Record<T> {
    /// Creates a record without a rendering.
    pub const fn new(value: T) -> Self {
        Self {
            value,
            rendering: OnceLock::new(),
        }
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// The rendering, if it is cached.
    pub fn cached_rendering(&self) -> Option<&[u8]> {
        self.rendering.get().map(|rendering| &**rendering)
    }

    /// Returns the rendering and caches it. `render` runs at most once and must be deterministic.
    pub fn rendering_or_init(&self, render: impl FnOnce(&mut Vec<u8>, &T)) -> &[u8] {
        self.rendering.get_or_init(|| {
            let mut rendering = Vec::with_capacity(1024);
            render(&mut rendering, &self.value);
            // The copy has the exact length. The buffer's spare capacity is released.
            rendering.as_slice().into()
        })
    }
}

/// One page of a list.
///
/// It borrows the records: reference counts would make all requests write to the same memory.
#[derive(Debug, Clone)]
pub struct Page<'a, T> {
    /// Number of matching records on all pages.
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
