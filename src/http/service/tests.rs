use std::sync::atomic::{AtomicUsize, Ordering};

use http::header::CONTENT_LENGTH;

use super::*;
use crate::http::SystemClock;
use crate::http::request_trace::REQUEST_ID;
use crate::testing::MemoryAuditLog;

/// Counts the request ids that are created.
#[derive(Debug, Default)]
struct CountingEntropy(AtomicUsize);

impl Entropy for CountingEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.fetch_add(1, Ordering::Relaxed);
        buffer.fill(7);
    }
}

/// Behavior of the test handler.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Behavior {
    Answers(StatusCode),
    Refuses,
    /// Records a refusal by this rule as an event of its own, then refuses by `NotFound`.
    #[cfg(feature = "auth-server")]
    RefusesAfter(RefusalRule),
    Panics,
    PanicsInHeaders,
}

struct Handler(RequestContext, Behavior);

impl RequestHandler for Handler {
    type Error = CommonError;

    fn context(&self) -> &RequestContext {
        &self.0
    }

    async fn handle<B: ReadableBody>(&self, _: Request<B>) -> Result<Response<Body>, CommonError> {
        match self.1 {
            Behavior::Panics => panic!("on purpose"),
            Behavior::Refuses => Err(CommonError::UnknownPath),
            #[cfg(feature = "auth-server")]
            Behavior::RefusesAfter(rule) => {
                let limited = EventKind::SignInLimited { client: None };
                self.0.record_refusal_as(limited, rule);
                Err(CommonError::UnknownPath)
            }
            Behavior::Answers(status) => {
                let mut response = Response::new(Body::from("hello"));
                *response.status_mut() = status;
                Ok(response)
            }
            Behavior::PanicsInHeaders => Ok(Response::new(Body::from("hello"))),
        }
    }

    fn error_response(&self, error: CommonError) -> Response<Body> {
        let (status, rule) = match error {
            CommonError::UnknownPath => (StatusCode::NOT_FOUND, RefusalRule::NotFound),
            CommonError::MethodNotAllowed(_) => (
                StatusCode::METHOD_NOT_ALLOWED,
                RefusalRule::MethodNotAllowed,
            ),
            CommonError::Panicked => (StatusCode::INTERNAL_SERVER_ERROR, RefusalRule::Failed),
        };
        let mut response = Response::new(Body::from(format!("{error:?}")));
        *response.status_mut() = status;
        response.extensions_mut().insert(rule);
        response
    }

    fn add_headers(&self, _: &mut Response<Body>) {
        assert_ne!(self.1, Behavior::PanicsInHeaders, "on purpose");
    }

    fn log_refusal(refusal: Refusal<'_>) {
        log_refusal!("lyceum::test", refusal);
    }
}

/// A service whose handler has one behavior, at an existing endpoint or not.
struct Service {
    context: Arc<ServiceContext>,
    entropy: Arc<CountingEntropy>,
    log: MemoryAuditLog,
}

impl Service {
    fn new(always_sends_request_id: bool) -> Self {
        let (entropy, log) = (
            Arc::new(CountingEntropy::default()),
            MemoryAuditLog::default(),
        );
        let context = Arc::new(ServiceContext {
            metrics: Arc::new(RequestMetrics::new("test")),
            clock: Arc::new(SystemClock),
            entropy: entropy.clone(),
            audit: Some(Arc::new(log.clone())),
            always_sends_request_id,
        });
        Self {
            context,
            entropy,
            log,
        }
    }

    async fn send(&self, method: Method, exists: bool, behavior: Behavior) -> Response<Body> {
        static CORS: Cors = Cors {
            allowed_request_headers: "",
            exposed_response_headers: "",
        };
        let endpoint = Endpoint {
            name: "test",
            exists,
            methods: "GET, HEAD, OPTIONS",
            cors: Some(&CORS),
        };
        let request = Request::builder()
            .method(method)
            .body(Body::empty())
            .unwrap();
        let context = RequestContext::new(&self.context, endpoint, request.extensions());
        let Ok(response) = respond(Handler(context, behavior), request).await;
        response
    }

    fn ids(&self) -> usize {
        self.entropy.0.load(Ordering::Relaxed)
    }
}

const HELLO: Behavior = Behavior::Answers(StatusCode::OK);

/// Fails if a service has to answer unknown paths, other methods or `OPTIONS` itself.
#[tokio::test]
async fn unknown_paths_other_methods_and_options_do_not_reach_the_handler() {
    let service = Service::new(false);
    for (method, exists, status) in [
        (Method::GET, false, 404),
        (Method::POST, false, 404),
        (Method::OPTIONS, false, 404),
        (Method::POST, true, 405),
        (Method::OPTIONS, true, 204),
    ] {
        let response = service.send(method.clone(), exists, Behavior::Panics).await;
        assert_eq!(response.status(), status, "{method}");
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], "*");
        assert_eq!(
            headers.get("access-control-allow-methods").is_some(),
            method == Method::OPTIONS
        );
        assert_eq!(headers.get(ALLOW).is_some(), status == 204);
    }
}

/// Fails if a random number is drawn for a response whose request id is never read.
#[tokio::test]
async fn a_request_id_is_created_once_and_only_where_it_is_sent() {
    let on_refusals = Service::new(false);
    let response = on_refusals.send(Method::GET, true, HELLO).await;
    assert_eq!(
        (response.headers().get(REQUEST_ID), on_refusals.ids()),
        (None, 0)
    );
    let response = on_refusals.send(Method::GET, true, Behavior::Refuses).await;
    assert_eq!(on_refusals.ids(), 1);
    let event = on_refusals.log.events().pop().unwrap();
    assert_eq!(response.headers()[REQUEST_ID], event.request_id.as_str());
    assert!(response.extensions().get::<RefusalRule>().is_none());
    assert!(matches!(
        event.kind,
        EventKind::Refused(RefusedRequest {
            rule: RefusalRule::NotFound,
            status: 404,
            endpoint: "test",
            ..
        })
    ));

    let always = Service::new(true);
    let response = always.send(Method::GET, true, HELLO).await;
    assert_eq!(
        (response.headers().contains_key(REQUEST_ID), always.ids()),
        (true, 1)
    );
    assert!(always.log.events().is_empty());
}

/// Fails if a refusal has two events, or if an event of an earlier one hides it.
#[cfg(feature = "auth-server")]
#[tokio::test]
async fn the_own_event_of_a_refusal_takes_the_place_of_that_refusal_alone() {
    for (recorded, others) in [
        (RefusalRule::NotFound, vec![]),
        (RefusalRule::SignInLimited, vec![RefusalRule::NotFound]),
    ] {
        let service = Service::new(true);
        let behavior = Behavior::RefusesAfter(recorded);
        let _ = service.send(Method::GET, true, behavior).await;
        let events = service.log.events();
        assert_eq!(events[0].kind, EventKind::SignInLimited { client: None });
        let refused = |event: &Event| match &event.kind {
            EventKind::Refused(refused) => Some(refused.rule),
            _ => None,
        };
        let refused: Vec<_> = events[1..].iter().map(refused).collect();
        assert_eq!(refused, others.into_iter().map(Some).collect::<Vec<_>>());
    }
}

/// Fails if a panic closes the connection, or leaves no record.
#[tokio::test]
async fn a_panic_is_an_error_of_the_service_and_an_empty_500_where_that_panics_too() {
    let service = Service::new(false);
    let response = service.send(Method::GET, true, Behavior::Panics).await;
    assert_eq!(
        (response.status().as_u16(), service.log.events().len()),
        (500, 1)
    );
    assert_eq!(response.body().as_bytes(), "Panicked");
    let response = service
        .send(Method::GET, true, Behavior::PanicsInHeaders)
        .await;
    assert_eq!(response.status(), 500);
    assert!(response.body().as_bytes().is_empty());
    assert!(response.extensions().get::<FailureCause>().is_some());
}

/// Fails if `HEAD` has a body, or a length that `GET` would not have.
#[tokio::test]
async fn head_has_the_length_of_get_where_there_is_one() {
    let service = Service::new(false);
    for (status, length) in [(200, Some("5")), (404, Some("5")), (304, None), (204, None)] {
        let behavior = Behavior::Answers(StatusCode::from_u16(status).unwrap());
        let response = service.send(Method::HEAD, true, behavior).await;
        assert_eq!(response.status(), status);
        assert!(response.body().as_bytes().is_empty());
        let sent = response.headers().get(CONTENT_LENGTH);
        assert_eq!(
            sent.map(|length| length.to_str().unwrap()),
            length,
            "{status}"
        );
    }
}

/// Fails if the address of a client gets into logs by `Debug`.
#[test]
fn the_debug_output_has_the_id_and_not_the_address() {
    let endpoint = Endpoint {
        name: "test",
        exists: true,
        methods: "GET",
        cors: None,
    };
    let mut extensions = Extensions::new();
    extensions.insert(ClientAddress("192.0.2.7".parse().unwrap()));
    let context = RequestContext::new(&Service::new(true).context, endpoint, &extensions);
    let text = format!("{context:?}");
    assert!(
        text.contains(context.id().as_str()) && text.contains("test"),
        "{text}"
    );
    assert!(
        context.address.is_some() && !text.contains("192.0.2.7"),
        "{text}"
    );
}
