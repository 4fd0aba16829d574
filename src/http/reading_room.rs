use std::fmt;
use std::sync::Arc;

use http::request::Parts;
use http::{Request, Response};

use super::{Body, ResponseFuture};
use crate::directory::Definition;
use crate::domain::ApiKey;

/// The school's data for those who have signed in elsewhere and read it by an API key of theirs without its value, which nobody has any more:
/// from [`DataApi::reading_room`](crate::DataApi::reading_room).
///
/// What they get is what the data API answers to that key. Its scopes, hidden fields and limit hold, and each request counts as a use of it.
#[derive(Clone)]
pub struct ReadingRoom(Arc<dyn SchoolData>);

/// What answers to keys that are known without their values.
pub(crate) trait SchoolData: Send + Sync + 'static {
    /// The answer to a request that the key makes. A key that is revoked or has expired is refused as if it had been presented; that it is the
    /// key of whoever asks, the caller has checked.
    fn answer_to(&self, key: Arc<ApiKey>, head: Parts) -> ResponseFuture;

    /// The lists that there are.
    fn definitions(&self) -> Vec<&Definition>;
}

impl ReadingRoom {
    pub(crate) fn of(data: impl SchoolData) -> Self {
        Self(Arc::new(data))
    }

    /// The lists that there are.
    pub(crate) fn definitions(&self) -> Vec<&Definition> {
        self.0.definitions()
    }

    /// The answer to a request that the key makes, as [`SchoolData::answer_to`] says.
    pub(crate) async fn answer_to(&self, key: Arc<ApiKey>, request: Request<()>) -> Response<Body> {
        let (head, ()) = request.into_parts();
        self.0.answer_to(key, head).await.unwrap_or_else(|never| match never {})
    }
}

impl fmt::Debug for ReadingRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingRoom").finish_non_exhaustive()
    }
}
