use super::{
    AccountDetailsPage, AccountNewPage, AccountsPage, ApplicationFormPage, ApplicationPage,
    ApplicationsPage, AuditPage, AuthorizedAppsPage, ChangePasswordPage, ClientFormPage,
    ClientPage, ClientsPage, ConfirmPage, DataPage, ErrorPage, HomePage, KeyNewPage, KeyPage,
    KeyRenewPage, KeysPage, OwnAccountPage, RequestLookupPage, ScopeFormPage, ScopePage,
    ShownOncePage, SignInPage,
};
use crate::http::pages::View;

/// Names of the pages for hosts: the names of their templates.
macro_rules! page_names {
    ($($view:ident$(<$life:lifetime>)? = $name:literal;)+) => {
        $(impl View for $view$(<$life>)? {
            const NAME: &'static str = concat!("console/", $name);
        })+

        #[cfg(test)]
        const NAMES: &[&str] = &[$(concat!("console/", $name)),+];
    };
}

page_names! {
    OwnAccountPage = "own_account";
    ChangePasswordPage = "change_password";
    ApplicationFormPage = "application_form";
    ApplicationPage = "application";
    ApplicationsPage = "applications";
    AuthorizedAppsPage = "authorized_apps";
    RequestLookupPage = "request_lookup";
    AuditPage = "audit";
    ClientFormPage = "client_form";
    ClientPage = "client";
    ClientsPage = "clients";
    ConfirmPage = "confirm";
    DataPage = "data";
    ErrorPage = "error";
    HomePage = "home";
    KeyNewPage = "key_new";
    KeyPage = "key";
    KeyRenewPage = "key_renew";
    KeysPage = "keys";
    AccountsPage = "accounts";
    AccountNewPage = "account_new";
    AccountDetailsPage = "account_details";
    ScopeFormPage = "scope_form";
    ScopePage = "scope";
    ShownOncePage = "shown_once";
    SignInPage<'_> = "sign_in";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a page has no row in the table for hosts, or the table names an unknown page.
    #[test]
    fn every_page_is_in_the_table_for_hosts_and_has_a_template_of_its_name() {
        let guide = include_str!("../../../../docs/embedding.md");
        let table = guide
            .split("| Page | Shows |")
            .nth(1)
            .unwrap()
            .split("\n\n")
            .next()
            .unwrap();
        let told: Vec<&str> = table
            .lines()
            .filter_map(|row| row.strip_prefix("| `")?.split('`').next())
            .collect();
        let known = ["authorize/sign_in", "authorize/consent", "authorize/error"]
            .iter()
            .chain(NAMES);
        for name in known.clone() {
            assert!(told.contains(name), "{name} is not in the table");
        }
        assert_eq!(told.len(), known.count(), "{told:?}");
        let templates =
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/console")).unwrap();
        let templates: Vec<String> = templates
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for name in NAMES {
            assert!(
                templates.contains(&format!("{}.html", &name["console/".len()..])),
                "{name}"
            );
        }
    }
}
