use std::sync::Arc;

use super::{block_on, write};
use crate::directory::Directory;
use crate::directory::DirectoryChange::PutClub;
use crate::directory::fixtures::club;
use crate::domain::ClubType;
use crate::store::memory::MemoryStore;

#[test]
fn a_directory_that_is_kept_fresh_follows_others_without_being_read() {
    let store = Arc::new(MemoryStore::new());
    let (one, other) = (
        block_on(Directory::open(store.clone())).unwrap(),
        block_on(Directory::open(store)).unwrap(),
    );
    write(&one, vec![PutClub(club(1, ClubType::Major, None))]);
    let mut pauses = 0;
    let twice = move |_| {
        pauses += 1;
        async move {
            if pauses == 2 {
                std::future::pending().await
            }
        }
    };
    let mut keeping = Box::pin(other.keep_fresh(twice));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    // The change is applied on another thread.
    while other.cached_snapshot().version() != one.cached_snapshot().version() {
        assert!(keeping.as_mut().poll(&mut context).is_pending());
        std::thread::yield_now();
    }
    drop(other);
    assert!(
        keeping.as_mut().poll(&mut context).is_pending(),
        "the future is still in its pause"
    );
    let once = block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap();
    let ended = once.keep_fresh(|_| async {});
    drop(once);
    block_on(ended);
}
