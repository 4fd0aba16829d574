use http::StatusCode;

use super::scope_options;
use crate::domain::{
    Client, ClientPolicy, ClientSettings, InvalidRedirectUri, InvalidValue, RedirectUri, Scope,
    ScopeSet, Verification,
};
use crate::http::console::form::version::{FormVersion, VERSION_FIELD};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ClientFormPage, FormErrors, RadioOption};
use crate::http::pages::texts::Texts;

/// Fields of the form.
pub(crate) const FIELDS: FormFields = FormFields::new(&[
    VERSION_FIELD,
    "name",
    "policy",
    "redirect_uris",
    "policy_uri",
    "pkce_required",
    "plain_pkce_allowed",
    "iss_omitted",
])
.with_repeated(&["scopes"])
.with_privileged(&["client_credentials_allowed", "first_party"]);

/// Values of the form, as submitted or as stored.
#[derive(Debug)]
pub(super) struct FormValues {
    name: String,
    policy: String,
    redirect_uris: String,
    policy_uri: String,
    pub(super) scopes: Vec<String>,
    pkce_required: bool,
    plain_pkce_allowed: bool,
    iss_omitted: bool,
    client_credentials_allowed: bool,
    first_party: bool,
}

impl FormValues {
    /// Values for a new client, with the safest defaults.
    pub(super) fn empty() -> Self {
        Self {
            name: String::new(),
            policy: ClientPolicy::Secret.to_string(),
            redirect_uris: String::new(),
            policy_uri: String::new(),
            scopes: Vec::new(),
            pkce_required: true,
            plain_pkce_allowed: false,
            iss_omitted: false,
            client_credentials_allowed: false,
            first_party: false,
        }
    }

    /// Values of an existing client.
    pub(super) fn from_settings(settings: &ClientSettings) -> Self {
        let redirect_uris: Vec<&str> = settings
            .redirect_uris
            .iter()
            .map(RedirectUri::as_str)
            .collect();
        Self {
            name: settings.name.to_string(),
            policy: settings.policy.to_string(),
            redirect_uris: redirect_uris.join("\n"),
            policy_uri: settings
                .policy_uri
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            scopes: settings
                .allowed_scopes
                .iter()
                .map(ToString::to_string)
                .collect(),
            pkce_required: settings.pkce_required,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            iss_omitted: settings.iss_omitted,
            client_credentials_allowed: settings.client_credentials_allowed,
            first_party: settings.first_party,
        }
    }

    /// The submitted values. Privileged settings keep their values unless an administrator submits
    /// them.
    pub(super) fn from_form(
        form: &Form<'_>,
        is_admin: bool,
        before: Option<&ClientSettings>,
    ) -> Self {
        let text = |name| form.field(name).unwrap_or_default().to_owned();
        let privileged = |name, before: bool| {
            if is_admin {
                form.is_checked(name)
            } else {
                before
            }
        };
        Self {
            name: text("name"),
            policy: text("policy"),
            redirect_uris: text("redirect_uris"),
            policy_uri: text("policy_uri").trim().to_owned(),
            scopes: form.values("scopes").map(str::to_owned).collect(),
            pkce_required: form.is_checked("pkce_required"),
            plain_pkce_allowed: form.is_checked("plain_pkce_allowed"),
            iss_omitted: form.is_checked("iss_omitted"),
            client_credentials_allowed: privileged(
                "client_credentials_allowed",
                before.is_some_and(|before| before.client_credentials_allowed),
            ),
            first_party: privileged(
                "first_party",
                before.is_some_and(|before| before.first_party),
            ),
        }
    }

    /// Parses the values.
    pub(super) fn settings(&self, text: &'static Texts) -> Result<ClientSettings, FormErrors> {
        let mut errors = FormErrors::default();
        let name = self
            .name
            .parse()
            .map_err(|_: InvalidValue| errors.add("name", text.errors.line))
            .ok();
        let policy = self
            .policy
            .parse()
            .map_err(|_: InvalidValue| errors.add("policy", text.errors.choose_one))
            .ok();
        let redirect_uris = redirect_uris(&self.redirect_uris, text)
            .map_err(|fault| errors.add("redirect_uris", fault))
            .ok();
        let policy_uri = Some(&self.policy_uri)
            .filter(|uri| !uri.is_empty())
            .map(|uri| uri.parse())
            .transpose()
            .map_err(|_: InvalidValue| errors.add("policy_uri", text.errors.policy_uri))
            .ok();
        let scopes = scopes(&self.scopes, text)
            .map_err(|fault| errors.add("scopes", fault))
            .ok();
        let (Some(name), Some(policy), Some(redirect_uris), Some(policy_uri), Some(allowed_scopes)) =
            (name, policy, redirect_uris, policy_uri, scopes)
        else {
            return Err(errors);
        };
        Ok(ClientSettings {
            name,
            policy,
            redirect_uris,
            allowed_scopes,
            plain_pkce_allowed: self.plain_pkce_allowed,
            pkce_required: self.pkce_required,
            first_party: self.first_party,
            client_credentials_allowed: self.client_credentials_allowed,
            iss_omitted: self.iss_omitted,
            policy_uri,
            // Changed on a separate page.
            verification: Verification::Unverified,
        })
    }
}

/// Parses redirect URIs, one per line. Surrounding blanks and empty lines are ignored.
fn redirect_uris(typed: &str, text: &'static Texts) -> Result<Vec<RedirectUri>, String> {
    let lines = typed
        .split('\n')
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty());
    let parsed = lines.map(|(at, line)| {
        line.parse().map_err(|_| {
            let rule = InvalidRedirectUri::detect(line)
                .map_or(text.errors.redirect_uris, |fault| {
                    text.redirect_fault(fault)
                });
            format!("{}: {rule}", text.redirect_line(at + 1))
        })
    });
    parsed.collect()
}

fn scopes(chosen: &[String], text: &'static Texts) -> Result<ScopeSet, &'static str> {
    if chosen.iter().any(|scope| scope.parse::<Scope>().is_err()) {
        return Err(text.errors.scope_unknown);
    }
    ScopeSet::parse_all(chosen.iter().map(String::as_str)).map_err(|_| text.errors.too_many_scopes)
}

/// Renders the form for a new or an existing client.
pub(super) async fn page(
    request: &UserRequest<'_>,
    client: Option<(&Client, FormVersion)>,
    values: FormValues,
    (status, errors): (StatusCode, FormErrors),
) -> HandlerResult {
    let (text, layout) = (request.texts(), request.layout("clients"));
    let groups = scope_options::scope_groups(
        request,
        client.as_ref().map(|(client, _)| *client),
        &values.scopes,
    )
    .await?;
    let drops_secrets = client
        .as_ref()
        .is_some_and(|(client, _)| !client.secrets.is_empty());
    let more = [
        "pkce_required",
        "plain_pkce_allowed",
        "iss_omitted",
        "client_credentials_allowed",
        "first_party",
    ];
    let more_is_open = values.plain_pkce_allowed
        || values.iss_omitted
        || layout.is_admin && (values.client_credentials_allowed || values.first_party)
        || more.iter().any(|name| errors.has(name));
    let of_new = || {
        (
            text.new_client.to_owned(),
            "/clients".to_owned(),
            text.nav_clients.to_owned(),
            "/clients/new".to_owned(),
        )
    };
    let (title, back, back_label, action) = client.as_ref().map_or_else(of_new, |(client, _)| {
        let address = format!("/clients/{}", client.id);
        (
            text.edit_client.to_owned(),
            address.clone(),
            client.name.to_string(),
            format!("{address}/edit"),
        )
    });
    let page = ClientFormPage {
        text,
        layout,
        errors,
        title,
        back,
        back_label,
        action,
        button: if client.is_some() {
            text.save
        } else {
            text.register_client
        },
        fields: client
            .iter()
            .map(|(_, form_version)| form_version.hidden_input())
            .collect(),
        name: values.name,
        policies: policies(&values.policy, drops_secrets, text),
        redirect_uris: values.redirect_uris,
        policy_uri: values.policy_uri,
        groups,
        more_is_open,
        pkce_required: values.pkce_required,
        plain_pkce_allowed: values.plain_pkce_allowed,
        iss_omitted: values.iss_omitted,
        client_credentials_allowed: values.client_credentials_allowed,
        first_party: values.first_party,
    };
    request.render(status, &page)
}

fn policies(chosen: &str, drops_secrets: bool, text: &'static Texts) -> Vec<RadioOption> {
    let choice = |policy: &ClientPolicy| {
        let hint = match policy {
            ClientPolicy::Secret => text.policy_secret_hint,
            ClientPolicy::SecretOrPkce => text.policy_secret_or_pkce_hint,
            ClientPolicy::Public if drops_secrets => text.policy_none_drops_secrets,
            ClientPolicy::Public => text.policy_none_hint,
        };
        RadioOption {
            value: policy.to_string(),
            label: text.policy(*policy),
            hint,
            is_on: policy.as_str() == chosen,
        }
    };
    ClientPolicy::ALL.iter().map(choice).collect()
}
