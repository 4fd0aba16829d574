use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::ConfirmPage;

/// `GET /apps/{client}/withdraw`: asks for confirmation.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    client: &str,
) -> Result<Response<Body>, Error> {
    let (authorized_app, text) = (
        user.management(server).authorized_app(client).await?,
        server.texts(),
    );
    let page = ConfirmPage {
        title: text.withdraw_app_title(&authorized_app.client.name),
        effects: vec![
            text.withdraw_app_effect.to_owned(),
            text.withdraw_app_tokens.to_owned(),
        ],
        back: "/apps".to_owned(),
        back_label: text.nav_apps.to_owned(),
        action: format!("/apps/{}/withdraw", authorized_app.client.id),
        button: text.withdraw,
        ..ConfirmPage::new(text, server.layout(user, "apps"))
    };
    server.render(StatusCode::OK, &page)
}

/// `POST /apps/{client}/withdraw`: revokes the client's access.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    Form::parse(server, &user.token, request, FormFields::default())?;
    user.management(server)
        .revoke_authorized_app(client)
        .await?;
    server.redirect_with_flash("/apps", Flash::ConsentWithdrawn)
}
