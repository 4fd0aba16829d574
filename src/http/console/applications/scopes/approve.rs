use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address, show};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{Problems, ScopePage};
use crate::http::manage::NotDone;

const FIELDS: Fields = Fields { once: &["client_id"], lists: &[] };

/// `POST /applications/{id}/scopes/{scopeId}/approve`: lets a client list the scope.
pub(super) async fn submit(
    server: &Server,
    who: &SignedIn,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    let typed = form.field("client_id").unwrap_or_default();
    let desk = who.desk(server);
    let definition = desk.changeable_scope(application, id).await?;
    match desk.approve_scope(&definition, typed.trim()).await {
        Ok(()) => server.led_to(&address(&definition), Done::Approved),
        // If it is the scope that is gone, then there is no page either.
        Err(NotDone::Denied(denial)) if denial.rule == Rule::NotFound => {
            let mut problems = Problems::default();
            problems.add("client_id", server.texts().faults.client_unknown);
            let page = show::page(server, who, &definition, request).await?;
            let page = ScopePage { problems, client_id: typed.to_owned(), ..page };
            Ok(faulty(server.page(StatusCode::BAD_REQUEST, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}
