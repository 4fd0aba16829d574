use std::sync::Arc;

use http::{HeaderValue, Method, Response};

use super::refusal::Refusal;
use crate::crypto::SystemEntropy;
use crate::http::audit::RequestId;
use crate::http::requests::{Requests, Underway};
use crate::http::{Body, FailureCause};

/// What the log and the metrics call every address behind a guard, which only its service knows.
const ROUTE: &str = "guarded";

/// One request, as the log and the metrics tell of it.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    requests: Arc<Requests>,
    /// None when nobody listens: only refusals tell it then, and make one.
    id: Option<RequestId>,
}

impl Visit {
    pub(super) fn begin(requests: &Arc<Requests>, method: &Method) -> (Self, Underway) {
        let mut id = None;
        let span = requests.span(ROUTE, method, || *id.insert(new_id()));
        (Self { requests: Arc::clone(requests), id }, Underway::new(requests, ROUTE, span))
    }

    /// The answer with the id by which the line in the log is found that says why.
    pub(super) fn explained(&self, mut response: Response<Body>, refusal: &Told) -> Response<Body> {
        let (request_id, status) = (self.id.unwrap_or_else(new_id), response.status().as_u16());
        self.requests.refused(refusal.word);
        let reason = &*refusal.text;
        match response.extensions().get::<FailureCause>() {
            Some(cause) => tracing::warn!(target: "lyceum::guard", %request_id, status, reason, %cause, "failed"),
            None => tracing::info!(target: "lyceum::guard", %request_id, status, reason, "refused"),
        }
        if let Ok(id) = HeaderValue::from_str(request_id.as_str()) {
            response.headers_mut().insert("x-request-id", id);
        }
        response
    }
}

/// Why a request was refused, for its operators.
pub(super) struct Told {
    word: &'static str,
    text: String,
}

impl From<&Refusal> for Told {
    fn from(refusal: &Refusal) -> Self {
        Self { word: refusal.word(), text: refusal.to_string() }
    }
}

fn new_id() -> RequestId {
    RequestId::new(&SystemEntropy)
}
