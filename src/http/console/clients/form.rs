use http::{Response, StatusCode};

use super::offered;
use crate::domain::{Client, ClientPolicy, ClientSettings, Invalid, RedirectFault, RedirectUri, Scope, ScopeSet, Verification};
use crate::http::Body;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::seen::{SEEN, Seen};
use crate::http::console::server::Server;
use crate::http::console::views::{ClientFormPage, HintedChoice, Problems};
use crate::http::pages::texts::Texts;

const OF_ANYBODY: Fields =
    Fields { once: &[SEEN, "name", "policy", "redirect_uris", "pkce_required", "plain_pkce_allowed", "iss_omitted"], lists: &["scopes"] };

const OF_ADMINISTRATORS: Fields = Fields {
    once: &[
        SEEN,
        "name",
        "policy",
        "redirect_uris",
        "pkce_required",
        "plain_pkce_allowed",
        "iss_omitted",
        "client_credentials_allowed",
        "first_party",
    ],
    lists: OF_ANYBODY.lists,
};

/// The fields that somebody's form has. What only administrators may set, only theirs has.
pub(super) fn fields(is_admin: bool) -> Fields {
    if is_admin { OF_ADMINISTRATORS } else { OF_ANYBODY }
}

/// The names of all fields beside which there can be a fault.
pub(super) fn names(is_admin: bool) -> Vec<&'static str> {
    let fields = fields(is_admin);
    fields.once.iter().chain(fields.lists).copied().collect()
}

/// What the form says: as it was typed, or as it is kept.
#[derive(Debug)]
pub(super) struct Filled {
    name: String,
    policy: String,
    redirect_uris: String,
    pub(super) scopes: Vec<String>,
    pkce_required: bool,
    plain_pkce_allowed: bool,
    iss_omitted: bool,
    client_credentials_allowed: bool,
    first_party: bool,
}

impl Filled {
    /// The form for a new client: with the safest choices.
    pub(super) fn empty() -> Self {
        Self {
            name: String::new(),
            policy: ClientPolicy::Secret.to_string(),
            redirect_uris: String::new(),
            scopes: Vec::new(),
            pkce_required: true,
            plain_pkce_allowed: false,
            iss_omitted: false,
            client_credentials_allowed: false,
            first_party: false,
        }
    }

    /// The form for a client that is there.
    pub(super) fn of(settings: &ClientSettings) -> Self {
        let redirect_uris: Vec<&str> = settings.redirect_uris.iter().map(RedirectUri::as_str).collect();
        Self {
            name: settings.name.to_string(),
            policy: settings.policy.to_string(),
            redirect_uris: redirect_uris.join("\n"),
            scopes: settings.allowed_scopes.iter().map(ToString::to_string).collect(),
            pkce_required: settings.pkce_required,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            iss_omitted: settings.iss_omitted,
            client_credentials_allowed: settings.client_credentials_allowed,
            first_party: settings.first_party,
        }
    }

    /// What somebody typed. Where their form lacks a switch, it stays as it is.
    pub(super) fn typed(form: &Form<'_>, is_admin: bool, before: Option<&ClientSettings>) -> Self {
        let text = |name| form.field(name).unwrap_or_default().to_owned();
        let privileged = |name, before: bool| if is_admin { form.is_on(name) } else { before };
        Self {
            name: text("name"),
            policy: text("policy"),
            redirect_uris: text("redirect_uris"),
            scopes: form.values("scopes").map(str::to_owned).collect(),
            pkce_required: form.is_on("pkce_required"),
            plain_pkce_allowed: form.is_on("plain_pkce_allowed"),
            iss_omitted: form.is_on("iss_omitted"),
            client_credentials_allowed: privileged(
                "client_credentials_allowed",
                before.is_some_and(|before| before.client_credentials_allowed),
            ),
            first_party: privileged("first_party", before.is_some_and(|before| before.first_party)),
        }
    }

    /// The settings that it says, or what is wrong with them.
    pub(super) fn settings(&self, text: &'static Texts) -> Result<ClientSettings, Problems> {
        let mut problems = Problems::default();
        let name = self.name.parse().map_err(|_: Invalid| problems.add("name", text.faults.line)).ok();
        let policy = self.policy.parse().map_err(|_: Invalid| problems.add("policy", text.faults.choose_one)).ok();
        let redirect_uris = redirect_uris(&self.redirect_uris, text).map_err(|fault| problems.add("redirect_uris", fault)).ok();
        let scopes = scopes(&self.scopes, text).map_err(|fault| problems.add("scopes", fault)).ok();
        let (Some(name), Some(policy), Some(redirect_uris), Some(allowed_scopes)) = (name, policy, redirect_uris, scopes) else {
            return Err(problems);
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
            // Verified on a page of its own.
            verification: Verification::Unverified,
        })
    }
}

/// The addresses, one a line. Blanks around one are not meant, nor are empty lines.
fn redirect_uris(typed: &str, text: &'static Texts) -> Result<Vec<RedirectUri>, String> {
    let lines = typed.split('\n').map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let parsed = lines.map(|(at, line)| {
        line.parse().map_err(|_| {
            let rule = RedirectFault::of(line).map_or(text.faults.redirect_uris, |fault| text.redirect_fault(fault));
            format!("{}: {rule}", text.redirect_line.with(at + 1))
        })
    });
    parsed.collect()
}

fn scopes(chosen: &[String], text: &'static Texts) -> Result<ScopeSet, &'static str> {
    if chosen.iter().any(|scope| scope.parse::<Scope>().is_err()) {
        return Err(text.faults.scope_unknown);
    }
    ScopeSet::collect(chosen.iter().map(String::as_str)).map_err(|_| text.faults.too_many_scopes)
}

/// The page with the form: for a new client, or for one that is there.
pub(super) async fn page(
    server: &Server,
    who: &SignedIn,
    client: Option<(&Client, Seen)>,
    filled: Filled,
    (status, problems): (StatusCode, Problems),
) -> Result<Response<Body>, Refusal> {
    let (text, frame) = (server.texts(), server.frame(who, "clients"));
    let groups = offered::groups(server, who, client.as_ref().map(|(client, _)| *client), &filled.scopes).await?;
    let drops_secrets = client.as_ref().is_some_and(|(client, _)| !client.secrets.is_empty());
    let more = ["pkce_required", "plain_pkce_allowed", "iss_omitted", "client_credentials_allowed", "first_party"];
    let more_is_open = filled.plain_pkce_allowed
        || filled.iss_omitted
        || frame.is_admin && (filled.client_credentials_allowed || filled.first_party)
        || more.iter().any(|name| problems.has(name));
    let of_new = || (text.new_client.to_owned(), "/clients".to_owned(), text.nav_clients.to_owned(), "/clients/new".to_owned());
    let (title, back, back_label, action) = client.as_ref().map_or_else(of_new, |(client, _)| {
        let address = format!("/clients/{}", client.id);
        (text.edit_client.to_owned(), address.clone(), client.name.to_string(), format!("{address}/edit"))
    });
    let page = ClientFormPage {
        text,
        frame,
        problems,
        title,
        back,
        back_label,
        action,
        button: if client.is_some() { text.save } else { text.register_client },
        fields: client.iter().map(|(_, seen)| seen.input()).collect(),
        name: filled.name,
        policies: policies(&filled.policy, drops_secrets, text),
        redirect_uris: filled.redirect_uris,
        groups,
        more_is_open,
        pkce_required: filled.pkce_required,
        plain_pkce_allowed: filled.plain_pkce_allowed,
        iss_omitted: filled.iss_omitted,
        client_credentials_allowed: filled.client_credentials_allowed,
        first_party: filled.first_party,
    };
    server.page(status, &page)
}

fn policies(chosen: &str, drops_secrets: bool, text: &'static Texts) -> Vec<HintedChoice> {
    let choice = |policy: &ClientPolicy| {
        let hint = match policy {
            ClientPolicy::Secret => text.policy_secret_hint,
            ClientPolicy::SecretOrPkce => text.policy_secret_or_pkce_hint,
            ClientPolicy::Public if drops_secrets => text.policy_none_drops_secrets,
            ClientPolicy::Public => text.policy_none_hint,
        };
        HintedChoice { value: policy.to_string(), label: text.policy(*policy), hint, is_on: policy.as_str() == chosen }
    };
    ClientPolicy::ALL.iter().map(choice).collect()
}
