//! Startup output of the examples.

use std::io::{self, Write};

use lyceum::domain::{ApiKeySecret, ApplicationId, ClientId, ClientSecret, ScopeSet};
use serde_json::{Value, json};

use super::database_state::DatabaseState;
use super::pages::PageContext;

/// Startup message, printed once connections are accepted.
pub struct Ready {
    pub base_url: String,
    pub found: DatabaseState,
    /// `None` if the database has other records.
    pub demo: Option<Demo>,
}

/// Credentials and URLs for trying the demo.
pub struct Demo {
    pub base_url: String,
    pub api_key: ApiKeySecret,
    pub limited_api_key: ApiKeySecret,
    pub client: DemoClient,
    pub public_client: DemoClient,
    /// A client that may manage what its user owns.
    pub console: DemoClient,
    /// A client that uses the client credentials grant.
    pub service_client: DemoClient,
    /// The developer's client, which no administrator has verified, and which waits for the approval
    /// of a scope.
    pub developer_client: DemoClient,
    pub application_id: ApplicationId,
    pub scopes: ScopeSet,
    pub user: DemoAccount,
    /// A second student.
    pub developer: DemoAccount,
    pub admin: DemoAccount,
}

pub struct DemoClient {
    pub id: ClientId,
    pub secret: Option<ClientSecret>,
    /// Empty for a client without users.
    pub redirect_uri: String,
}

pub struct DemoAccount {
    pub email: String,
    pub password: String,
}

impl DemoClient {
    fn as_json(&self) -> Value {
        json!({
            "id": self.id.to_string(),
            "secret": self.secret.as_ref().map(ClientSecret::expose),
            "redirect_uri": self.redirect_uri,
        })
    }
}

impl Ready {
    /// Prints how to use the services: a line of JSON for programs, or text for people.
    pub fn print(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            writeln!(out, "{}", self.as_json())?;
        } else {
            writeln!(out, "  database        {}", self.found.sentence())?;
            match &self.demo {
                Some(demo) => demo.print_lines(out)?,
                None => {
                    writeln!(out, "  data API        {}/v1/students", self.base_url)?;
                    writeln!(out, "  web interface   {}/console", self.base_url)?;
                }
            }
        }
        out.flush()
    }

    fn as_json(&self) -> Value {
        let mut ready = self.demo.as_ref().map_or_else(|| json!({}), Demo::as_json);
        ready["event"] = "ready".into();
        ready["base_url"] = self.base_url.as_str().into();
        ready["auth_url"] = self.base_url.as_str().into();
        ready["database"] = self.found.word().into();
        ready
    }
}

impl Demo {
    /// The URL that starts a sign-in for a client.
    fn sign_in_url(&self, client: &DemoClient) -> String {
        let redirect_uri = client.redirect_uri.replace(':', "%3A").replace('/', "%2F");
        format!(
            "{}/v1/oauth/authorize?response_type=code&client_id={}&redirect_uri={redirect_uri}&state=demo",
            self.base_url, client.id
        )
    }

    /// Data for the demo's own pages.
    pub fn page_context(&self) -> PageContext {
        PageContext {
            base_url: self.base_url.clone(),
            web: (self.client.id.to_string(), self.client.redirect_uri.clone()),
            native: (
                self.public_client.id.to_string(),
                self.public_client.redirect_uri.clone(),
            ),
            console: (
                self.console.id.to_string(),
                self.console.redirect_uri.clone(),
            ),
            developer: (
                self.developer_client.id.to_string(),
                self.developer_client.redirect_uri.clone(),
            ),
            sign_in_url: self.sign_in_url(&self.client),
        }
    }

    fn print_lines(&self, out: &mut impl Write) -> io::Result<()> {
        let base = &self.base_url;
        writeln!(out, "  data API        {base}/v1/students")?;
        writeln!(
            out,
            "  try             curl -H 'X-API-KEY: {}' '{base}/v1/students?grade=2&size=3'",
            self.api_key.expose()
        )?;
        writeln!(out, "  sign-in         {}", self.sign_in_url(&self.client))?;
        writeln!(out, "  web interface   {base}/console")?;
        writeln!(
            out,
            "  demo accounts   {} / {} (USER, also a student)",
            self.user.email, self.user.password
        )?;
        writeln!(
            out,
            "                  {} / {} (USER, a student whose client waits for approval)",
            self.developer.email, self.developer.password
        )?;
        writeln!(
            out,
            "                  {} / {} (ADMIN)",
            self.admin.email, self.admin.password
        )?;
        writeln!(out, "  clubs-only key  {}", self.limited_api_key.expose())?;
        let secret = self.client.secret.as_ref().map_or("", ClientSecret::expose);
        writeln!(
            out,
            "  web client      {} with secret {secret}",
            self.client.id
        )?;
        let secret = self
            .console
            .secret
            .as_ref()
            .map_or("", ClientSecret::expose);
        writeln!(
            out,
            "  manage          {} with secret {secret}",
            self.sign_in_url(&self.console)
        )?;
        writeln!(out, "  application     {}", self.application_id)?;
        let secret = self
            .developer_client
            .secret
            .as_ref()
            .map_or("", ClientSecret::expose);
        writeln!(
            out,
            "  unverified      {} with secret {secret}",
            self.sign_in_url(&self.developer_client)
        )?;
        let secret = self
            .service_client
            .secret
            .as_ref()
            .map_or("", ClientSecret::expose);
        let id = self.service_client.id;
        writeln!(
            out,
            "  service client  curl {base}/v1/oauth/token -d grant_type=client_credentials -d client_id={id} -d client_secret={secret}"
        )?;
        writeln!(
            out,
            "  native client   {} (public, PKCE)",
            self.public_client.id
        )
    }

    fn as_json(&self) -> Value {
        json!({
            "api_key": self.api_key.expose(),
            "limited_api_key": self.limited_api_key.expose(),
            "client": self.client.as_json(),
            "public_client": { "id": self.public_client.id.to_string(), "redirect_uri": self.public_client.redirect_uri },
            "console": self.console.as_json(),
            "service_client": {
                "id": self.service_client.id.to_string(),
                "secret": self.service_client.secret.as_ref().map(ClientSecret::expose),
            },
            "developer_client": self.developer_client.as_json(),
            "application_id": self.application_id.to_string(),
            "scopes": self.scopes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "user": { "email": self.user.email, "password": self.user.password },
            "developer": { "email": self.developer.email, "password": self.developer.password },
            "admin": { "email": self.admin.email, "password": self.admin.password },
        })
    }
}
