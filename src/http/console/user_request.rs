use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::error::{Error, with_rule};
use super::form::check_token;
use super::form::flash::Flash;
use super::form::former_session;
use super::form::typed::TypedForm;
use super::form::{Form, FormFields};
use super::query::Query;
use super::server::Server;
use crate::crypto::UserForms;
use crate::domain::Role;
use crate::http::Body;
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::login::SignedInUser;
use crate::http::management::{AuthenticatedBy, ManagementSession};
use crate::http::pages::View;
use crate::http::pages::texts::Texts;

/// Request of a signed-in user.
pub(super) struct UserRequest<'a> {
    pub(super) server: &'a Server,
    pub(super) user: SignedInUser,
    pub(super) request: &'a Request<Bytes>,
    /// The form of this page that was sent after its session had ended.
    pub(super) typed: Option<TypedForm>,
    /// Whether the page shows that form.
    pub(super) shows_typed: AtomicBool,
}

impl UserRequest<'_> {
    /// Values of the parameters in the path, in the order of the route's pattern.
    pub(super) fn params<const N: usize>(&self) -> [&str; N] {
        self.server.params()
    }

    pub(super) fn query(&self) -> Result<Query<'_>, Error> {
        Query::from_request(self.request)
    }

    /// Parses the form and checks its token against the session.
    pub(super) fn form(&self, fields: FormFields) -> Result<Form<'_>, Error> {
        let fields = if self.is_administrator() {
            fields
        } else {
            fields.without_privileged()
        };
        Form::parse(self.request, fields, |token| self.check_form_token(token))
    }

    /// The session, to which forms are bound.
    pub(super) fn forms(&self) -> UserForms {
        let session = *self.user.token.digest().as_bytes();
        UserForms::new(session, self.user.subject.id.clone())
    }

    /// What the user typed before the session ended, to be shown and not carried out. The
    /// [layout](Self::layout) says so if it is made after this call, and the browser forgets the
    /// form.
    pub(super) fn typed_form(&self, fields: FormFields) -> Option<Form<'_>> {
        let fields = if self.is_administrator() {
            fields
        } else {
            fields.without_privileged()
        };
        let typed = self.typed.as_ref()?;
        self.shows_typed.store(true, Ordering::Relaxed);
        Some(Form::from_typed(typed.pairs(), fields))
    }

    /// The form that the page shows again.
    pub(super) fn shown_form(&self) -> Option<&TypedForm> {
        let typed = self.typed.as_ref();
        typed.filter(|_| self.shows_typed.load(Ordering::Relaxed))
    }

    /// Refuses a form that is neither bound to the session nor to one that the same user had before
    /// the last sign-ins.
    pub(super) fn check_form_token(&self, token: &str) -> Result<(), Error> {
        let refused = match check_token(self.server, &self.forms(), token) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        let is_of = |former| {
            let forms = UserForms::new(former, self.user.subject.id.clone());
            check_token(self.server, &forms, token).is_ok()
        };
        let former = former_session::digests(self.server, self.request.headers());
        match former.into_iter().any(is_of) {
            true => Ok(()),
            false => Err(refused),
        }
    }

    pub(super) fn is_administrator(&self) -> bool {
        self.user.subject.role == Role::Admin
    }

    /// Management operations on behalf of the user.
    pub(super) fn management(&self) -> ManagementSession<'_> {
        let server = self.server;
        let idle = server.shared.user_sessions.idle_of(&self.user.session);
        server.shared.management.session_for(
            self.user.subject.clone(),
            AuthenticatedBy::Session(self.user.token.digest(), idle),
            server.context.origin(),
        )
    }

    /// Records that an administrator was shown records with the authority of the role: the names of
    /// the filters and the number of records, and no values.
    pub(super) fn record_data_viewed(
        &self,
        list: &'static str,
        filters: Vec<&'static str>,
        records: usize,
    ) {
        self.server.context.record(EventKind::DataViewed {
            by: self.user.subject.id.clone(),
            list,
            filters,
            records,
            record: None,
        });
    }

    /// Records that an administrator was shown one record by itself with the authority of the role:
    /// its id, and none of its other values.
    pub(super) fn record_one_viewed(&self, list: &'static str, filter: &'static str, record: i64) {
        self.server.context.record(EventKind::DataViewed {
            by: self.user.subject.id.clone(),
            list,
            filters: vec![filter],
            records: 1,
            record: Some(record),
        });
    }

    /// Texts in the language of the request.
    pub(super) fn texts(&self) -> &'static Texts {
        self.server.texts()
    }

    /// Renders a page.
    pub(super) fn render(
        &self,
        status: StatusCode,
        view: &impl View,
    ) -> Result<Response<Body>, Error> {
        self.server.render(status, view)
    }

    /// Renders a form again, which is refused by `rule`.
    pub(super) fn render_refused(
        &self,
        status: StatusCode,
        rule: RefusalRule,
        view: &impl View,
    ) -> Result<Response<Body>, Error> {
        Ok(with_rule(self.render(status, view)?, rule))
    }

    /// Redirects to a page of the console, which shows `flash`.
    pub(super) fn redirect_with_flash(
        &self,
        path: &str,
        flash: Flash,
    ) -> Result<Response<Body>, Error> {
        self.server.redirect_with_flash(path, flash)
    }
}
