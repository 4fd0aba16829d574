//! View models: a struct for each template.

mod accounts;
mod activity;
mod applications;
mod audit;
mod authorized_apps;
mod calendars;
mod client_form;
mod clients;
mod components;
mod confirm;
mod data;
mod error;
mod form_errors;
mod home;
mod invitations;
mod keys;
mod layout;
mod own_account;
mod page_links;
mod plot;
mod school;
mod school_year;
mod scope_requests;
mod scopes;
mod sign_in;
mod sync;
mod translations;
mod week;

use crate::http::pages::View;
pub(super) use accounts::AccountRow;
pub(super) use activity::RefusalRow;
pub(super) use applications::{ApplicationRow, ScopeRow, ScopeUsageRow};
pub(super) use audit::{EventFact, EventRow};
pub(super) use authorized_apps::AuthorizedAppRow;
pub(super) use calendars::{CalendarLink, FeedRow, KeyCalendars};
pub(super) use client_form::{ScopeGroup, ScopeOption};
pub(super) use clients::{AdviceRow, ClientRow, ClientScope, ReviewBadge, SecretRow};
pub(super) use components::{
    CodeSample, LabeledValue, OwnerLabel, PersonOption, RadioOption, SelectOption,
};
pub(super) use confirm::{AffectedClient, HiddenInput, Switch};
pub(super) use data::{
    CellPart, ColumnChooser, ColumnOption, Counted, DataCell, DataInput, DayLinks, DownloadForm,
    EmptyTable, FilterChip, FilterField, KeyOption, ListLink, TableCell, TableColumn,
    TableControls, TablePager, TableRow,
};
pub(super) use form_errors::FormErrors;
pub(super) use home::{
    AttentionItem, AttentionRecord, FailedSignIn, FailedSignIns, HomeApp, HomeClient, HomeKey,
    LastImport, LastSync, Overview, WaitingItem,
};
pub(super) use invitations::{InvitationRow, InvitedRow};
pub(super) use keys::{
    FieldsDecisionBadge, KeyFieldOption, KeyLimitFields, KeyRow, KeyScopeOption, KeyStatusBadge,
    PreviousKeyValue, field_names,
};
pub(super) use layout::Layout;
pub(super) use own_account::SessionRow;
pub(super) use page_links::PageLinks;
pub(super) use plot::{Plot, grouped};
pub(super) use school::{
    ChangedMeanwhile, ImportOptions, LabeledText, PlannedField, PlannedRefusal, PlannedRow,
    RecordField, RecordRow,
};
pub(super) use school_year::{HistoryRow, LastTurn, YearConflictRow, YearStudentRow};
pub(super) use scope_requests::{
    FieldsRequestRow, OwnRequestRow, RequestableScope, RequestableScopes, UnverifiedClientRow,
    WaitingRequestRow,
};
pub(super) use scopes::ScopeClientRow;
pub(super) use sync::{SyncKindRow, SyncRunRow};
pub(super) use translations::{TranslationField, TranslationRow};
pub(super) use week::{
    DayCard, DayEvents, DayHeading, DayLink, DayMeal, DishText, EventText, LessonCell, LessonText,
    MealCard, MonthDay, PeriodRow, WeekDayEvents, WeekFrame,
};

/// The pages, with the names of their templates, by which hosts replace them.
macro_rules! pages {
    ($($module:ident::$view:ident$(<$life:lifetime>)? = $name:literal;)+) => {
        $(
            pub(super) use $module::$view;

            impl View for $view$(<$life>)? {
                const NAME: &'static str = concat!("console/", $name);
            }
        )+

        #[cfg(test)]
        const NAMES: &[&str] = &[$(concat!("console/", $name)),+];
    };
}

pages! {
    accounts::AccountDetailsPage = "account_details";
    accounts::AccountNewPage = "account_new";
    accounts::AccountsPage = "accounts";
    activity::ActivityPage = "activity";
    activity::OwnRequestPage = "own_request";
    applications::ApplicationPage = "application";
    applications::ApplicationFormPage = "application_form";
    applications::ApplicationsPage = "applications";
    audit::AuditPage = "audit";
    audit::RequestLookupPage = "request_lookup";
    authorized_apps::AuthorizedAppsPage = "authorized_apps";
    calendars::CalendarCreatedPage = "calendar_created";
    client_form::ClientFormPage = "client_form";
    clients::ClientPage = "client";
    clients::ClientsPage = "clients";
    components::ShownOncePage = "shown_once";
    confirm::ConfirmPage = "confirm";
    data::DataPage = "data";
    data::DataRecordPage = "data_record";
    error::ErrorPage = "error";
    home::HomePage = "home";
    invitations::InviteCheckPage = "invite_check";
    invitations::InvitePage = "invite";
    invitations::InvitedPage = "invited";
    keys::KeyPage = "key";
    keys::KeyNewPage = "key_new";
    keys::KeyRenewPage = "key_renew";
    keys::KeyEditPage = "key_edit";
    keys::KeysPage = "keys";
    own_account::ChangePasswordPage = "change_password";
    own_account::OwnAccountPage = "own_account";
    own_account::PasswordLinkPage = "password_link";
    school::ImportPage = "school_import";
    school::ImportPlanPage = "school_plan";
    school::RecordsPage = "school_records";
    school::RecordFormPage = "school_form";
    school::RecordSelectionPage = "school_selection";
    school::RecordChangePage = "school_change";
    school_year::SchoolHistoryPage = "school_history";
    school_year::YearPage = "school_year";
    school_year::YearPlanPage = "school_year_plan";
    scope_requests::ClientScopesPage = "client_scopes";
    scope_requests::ScopeRequestsPage = "scope_requests";
    scope_requests::WaitingPage = "waiting";
    scopes::ScopePage = "scope";
    scopes::ScopeFormPage = "scope_form";
    sign_in::SignInPage<'_> = "sign_in";
    sync::SyncPage = "sync";
    week::MonthPage = "month";
    week::WeekMealsPage = "week_meals";
    week::WeekTimetablePage = "week";
}

#[cfg(test)]
mod tests {
    use super::NAMES;

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
        let listed: Vec<&str> = table
            .lines()
            .filter_map(|row| row.strip_prefix("| `")?.split('`').next())
            .collect();
        let known = ["authorize/sign_in", "authorize/consent", "authorize/error"]
            .iter()
            .chain(NAMES);
        for name in known.clone() {
            assert!(listed.contains(name), "{name} is not in the table");
        }
        assert_eq!(listed.len(), known.count(), "{listed:?}");
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
