//! The console's routes.

use super::form::FormFields;
use super::form::flash::Flash;
use super::form::version::VERSION_FIELD;
use super::invitations::password_link;
use super::route_matching::{Handler, Route, UserHandler};
use super::{
    accounts, activity, applications, audit, authorized_apps, clients, data, home, keys,
    own_account, shown_once, sign_in, sign_out, sync, waiting,
};
use super::{school, school_year};
use applications::scopes;
use own_account::sign_out_everywhere;

/// Handler of a page for every visitor.
macro_rules! public {
    ($show:path) => {
        Handler::Public(|server, request| Box::pin($show(server, request)))
    };
}

/// Handler of a page for signed-in users.
macro_rules! page {
    ($show:path) => {
        Handler::SignedIn(UserHandler::Page(|request| Box::pin($show(request))))
    };
}

/// Handler of a form that does not count towards the limit of changes.
macro_rules! unlimited_form {
    ($submit:path, $fields:expr) => {
        Handler::SignedIn(UserHandler::Form {
            fields: $fields,
            is_change: false,
            submit: |request, form| Box::pin($submit(request, form)),
        })
    };
}

/// Handler of a form that counts towards the limit of changes.
macro_rules! limited_form {
    ($submit:path, $fields:expr) => {
        Handler::SignedIn(UserHandler::Form {
            fields: $fields,
            is_change: true,
            submit: |request, form| Box::pin($submit(request, form)),
        })
    };
}

/// Handler of a form with a file.
macro_rules! upload {
    ($submit:path) => {
        Handler::SignedIn(UserHandler::Upload(|request| Box::pin($submit(request))))
    };
}

const NO_FIELDS: FormFields = FormFields::new(&[]);

/// Maximum length of a form of a record: a description may have 10,000 characters, and a club many
/// members.
const RECORD_LIMIT: usize = 512 * 1024;

/// Fields of a form that only confirms what its page shows.
const CONFIRMATION: FormFields = FormFields::new(&[VERSION_FIELD]);

/// All routes. The first that matches a path handles it.
#[rustfmt::skip]
pub(super) static ROUTES: &[Route] = &[
    Route::new("/", "home").get(page!(home::show)),
    Route::new("/sign-in", "sign_in").get(public!(sign_in::show)).post(public!(sign_in::submit)),
    Route::new("/password-link", "password_link").get(public!(password_link::show)).post(public!(password_link::submit)),
    Route::new("/sign-out", "sign_out").post(unlimited_form!(sign_out::submit, NO_FIELDS)),
    Route::new("/shown", "shown").get(page!(shown_once::show)),
    Route::new("/assets/{name}", "asset").get(Handler::Asset),

    Route::new("/apps", "apps").get(page!(authorized_apps::list::show)),
    Route::new("/apps/{client}/withdraw", "app_withdraw")
        .get(page!(authorized_apps::withdraw::show))
        .post(unlimited_form!(authorized_apps::withdraw::submit, NO_FIELDS)),

    Route::new("/account", "account").get(page!(own_account::show::show)),
    Route::new("/account/password", "account_password")
        .get(page!(own_account::password::show))
        .post(unlimited_form!(own_account::password::submit, own_account::password::FIELDS)),
    Route::new("/account/sessions/{session}/end", "account_session_end").on_page("/account")
        .post(unlimited_form!(own_account::end_session::submit, NO_FIELDS)),
    Route::new("/account/sign-out-everywhere", "sign_out_everywhere")
        .get(page!(sign_out_everywhere::show))
        .post(unlimited_form!(sign_out_everywhere::submit, sign_out_everywhere::FIELDS)),

    Route::new("/keys", "keys").with_api_keys().get(page!(keys::list::list_own)),
    Route::new("/keys/new", "key_new").after_recent_sign_in().once("/keys", Flash::CreatedBefore).with_restored_form().with_api_keys()
        .get(page!(keys::new::show))
        .post(limited_form!(keys::new::submit, keys::new::FIELDS)),
    Route::new("/keys/{key}", "key").with_api_keys().get(page!(keys::show::show)),
    Route::new("/keys/{key}/activity", "key_activity").with_api_keys().get(page!(activity::show_key)),
    Route::new("/keys/{key}/renew", "key_renew").after_recent_sign_in().with_restored_form().with_api_keys()
        .get(page!(keys::renew::show))
        .post(limited_form!(keys::renew::submit, keys::renew::FIELDS)),
    Route::new("/keys/{key}/edit", "key_edit").after_recent_sign_in().with_restored_form().with_api_keys()
        .get(page!(keys::edit::show))
        .post(limited_form!(keys::edit::submit, keys::edit::FIELDS)),
    Route::new("/keys/{key}/fields/withdraw", "key_fields_withdraw").on_page("/keys/{key}").with_api_keys()
        .post(limited_form!(keys::fields::withdraw, NO_FIELDS)),
    Route::new("/keys/{key}/revoke", "key_revoke").with_api_keys()
        .get(page!(keys::revoke::show))
        .post(unlimited_form!(keys::revoke::submit, NO_FIELDS)),
    Route::new("/keys/{key}/calendars", "key_calendars").after_recent_sign_in().on_page("/keys/{key}").with_api_keys()
        .post(limited_form!(keys::calendars::submit_new, NO_FIELDS)),
    Route::new("/keys/{key}/calendars/{feed}/revoke", "key_calendar_revoke").on_page("/keys/{key}").with_api_keys()
        .post(unlimited_form!(keys::calendars::submit_revoke, NO_FIELDS)),

    Route::new("/applications", "applications").get(page!(applications::list::list_own)),
    Route::new("/applications/new", "application_new").once("/applications", Flash::CreatedBefore).with_restored_form()
        .get(page!(applications::form::show_new))
        .post(limited_form!(applications::form::submit_new, applications::form::FIELDS)),
    Route::new("/applications/requests", "scope_requests").get(page!(applications::requests::show)),
    Route::new("/applications/requests/{scope}/{client}/approve", "scope_request_approve").after_recent_sign_in().on_page("/applications/requests")
        .post(limited_form!(applications::requests::approve, applications::requests::APPROVE_FIELDS)),
    Route::new("/applications/requests/{scope}/{client}/refuse", "scope_request_refuse").on_page("/applications/requests")
        .post(limited_form!(applications::requests::refuse, applications::requests::REFUSE_FIELDS)),
    Route::new("/applications/{application}", "application")
        .get(page!(applications::show::show)),
    Route::new("/applications/{application}/edit", "application_edit").with_restored_form()
        .get(page!(applications::form::show_edit))
        .post(limited_form!(applications::form::submit_edit, applications::form::FIELDS)),
    Route::new("/applications/{application}/delete", "application_delete")
        .get(page!(applications::delete::show))
        .post(limited_form!(applications::delete::submit, CONFIRMATION)),
    Route::new("/applications/{application}/scopes/new", "scope_new").once("/applications/{application}", Flash::CreatedBefore).with_restored_form()
        .get(page!(scopes::form::show_new))
        .post(limited_form!(scopes::form::submit_new, scopes::form::CREATE_FIELDS)),
    Route::new("/applications/{application}/scopes/{scope}", "scope")
        .get(page!(scopes::show::show)),
    Route::new("/applications/{application}/scopes/{scope}/edit", "scope_edit").after_recent_sign_in().with_restored_form()
        .get(page!(scopes::form::show_edit))
        .post(limited_form!(scopes::form::submit_edit, scopes::form::UPDATE_FIELDS)),
    Route::new("/applications/{application}/scopes/{scope}/delete", "scope_delete")
        .get(page!(scopes::delete::show))
        .post(limited_form!(scopes::delete::submit, CONFIRMATION)),
    Route::new(
        "/applications/{application}/scopes/{scope}/clients/{client}/withdraw", "scope_withdraw",
    )
        .get(page!(scopes::withdraw::show))
        .post(limited_form!(scopes::withdraw::submit, CONFIRMATION)),

    Route::new("/clients", "clients").get(page!(clients::list::list_own)),
    Route::new("/clients/new", "new_client").after_recent_sign_in().once("/clients", Flash::CreatedBefore).with_restored_form()
        .get(page!(clients::new::show))
        .post(limited_form!(clients::new::submit, clients::form::FIELDS)),
    Route::new("/clients/{client}", "client").get(page!(clients::show::show)),
    Route::new("/clients/{client}/edit", "edit_client").after_recent_sign_in().with_restored_form()
        .get(page!(clients::edit::show))
        .post(limited_form!(clients::edit::submit, clients::form::FIELDS)),
    Route::new("/clients/{client}/activity", "client_activity").get(page!(activity::show_client)),
    Route::new("/clients/{client}/scopes", "client_scopes").with_restored_form()
        .get(page!(clients::scope_requests::show))
        .post(limited_form!(clients::scope_requests::submit, clients::scope_requests::FIELDS)),
    Route::new("/clients/{client}/scopes/{scope}/withdraw", "client_scope_withdraw").on_page("/clients/{client}/scopes")
        .post(unlimited_form!(clients::scope_requests::withdraw, NO_FIELDS)),
    Route::new("/clients/{client}/secrets/new", "new_client_secret").after_recent_sign_in()
        .get(page!(clients::secrets::show_add))
        .post(limited_form!(clients::secrets::submit_add, CONFIRMATION)),
    Route::new("/clients/{client}/secrets/older", "older_client_secret")
        .get(page!(clients::secrets::show_remove_older))
        .post(unlimited_form!(clients::secrets::submit_remove_older, CONFIRMATION)),
    Route::new("/clients/{client}/owner", "client_owner").after_recent_sign_in().on_page("/clients/{client}").for_administrators()
        .post(limited_form!(clients::owner::submit, FormFields::new(&["owner"]))),
    Route::new("/clients/{client}/delete", "delete_client")
        .get(page!(clients::delete::show))
        .post(limited_form!(clients::delete::submit, NO_FIELDS)),
    Route::new("/clients/{client}/verify", "verify_client").after_recent_sign_in().for_administrators()
        .get(page!(clients::verify::show_verify))
        .post(limited_form!(clients::verify::submit_verify, clients::verify::FIELDS)),
    Route::new("/clients/{client}/unverify", "unverify_client").for_administrators()
        .get(page!(clients::verify::show_unverify))
        .post(limited_form!(clients::verify::submit_unverify, CONFIRMATION)),

    Route::new("/requests", "own_request").get(page!(activity::look_up)),

    Route::new("/data/{list}.csv", "data_table").with_api_keys().get(page!(data::download_csv)),
    Route::new("/data/{list}.xlsx", "data_workbook").with_api_keys().get(page!(data::download_xlsx)),
    Route::new("/data/{list}", "data").with_api_keys().get(page!(data::show)),
    Route::new("/data/{list}/{record}", "data_record").with_api_keys().get(page!(data::show_record)),

    Route::new("/week", "week").with_api_keys().get(page!(data::week::show_timetable)),
    Route::new("/week/meals", "week_meals").with_api_keys().get(page!(data::week::show_meals)),
    Route::new("/month", "month").with_api_keys().get(page!(data::week::show_month)),

    Route::new("/admin/people", "people").for_administrators().get(page!(accounts::list::show)),
    Route::new("/admin/people/new", "new_person").after_recent_sign_in().with_restored_form().for_administrators()
        .get(page!(accounts::new::show))
        .post(limited_form!(accounts::new::submit, accounts::new::FIELDS)),
    Route::new("/admin/people/invite", "invite").after_recent_sign_in().with_restored_form().for_administrators()
        .with_body_limit(accounts::invite::FORM_LIMIT)
        .get(page!(accounts::invite::show))
        .post(unlimited_form!(accounts::invite::check, accounts::invite::FIELDS)),
    Route::new("/admin/people/invite/create", "invite_create").after_recent_sign_in().on_page("/admin/people/invite").once("/admin/people/invite", Flash::InvitedBefore).with_restored_form().for_administrators()
        .with_body_limit(accounts::invite::FORM_LIMIT)
        .post(limited_form!(accounts::invite::create, accounts::invite::CREATE_FIELDS)),
    Route::new("/admin/people/{person}", "person").for_administrators()
        .get(page!(accounts::show::show)),
    Route::new("/admin/people/{person}/role", "person_role").after_recent_sign_in().with_restored_form().on_page("/admin/people/{person}").for_administrators()
        .post(limited_form!(accounts::update::submit_role, accounts::update::ROLE_FIELDS)),
    Route::new("/admin/people/{person}/password", "person_password").after_recent_sign_in().on_page("/admin/people/{person}").for_administrators()
        .post(limited_form!(accounts::update::submit_password, accounts::update::PASSWORD_FIELDS)),
    Route::new("/admin/people/{person}/sessions/end", "person_sessions_end").on_page("/admin/people/{person}").for_administrators()
        .post(unlimited_form!(accounts::sessions::end_all, NO_FIELDS)),
    Route::new("/admin/people/{person}/sessions/{session}/end", "person_session_end").on_page("/admin/people/{person}").for_administrators()
        .post(unlimited_form!(accounts::sessions::end, NO_FIELDS)),
    Route::new("/admin/people/{person}/link", "person_link").after_recent_sign_in().on_page("/admin/people/{person}").for_administrators()
        .post(limited_form!(accounts::invite::link, NO_FIELDS)),
    Route::new("/admin/people/{person}/remove", "person_remove").after_recent_sign_in().for_administrators()
        .get(page!(accounts::remove::show))
        .post(limited_form!(accounts::remove::submit, NO_FIELDS)),
    Route::new("/admin/year", "school_year").of_school_year().get(page!(school_year::show::show)),
    Route::new("/admin/year/turn", "school_year_turn").with_restored_form().of_school_year()
        .get(page!(school_year::turn::show))
        .post(limited_form!(school_year::turn::submit, school_year::turn::FIELDS)),
    Route::new("/admin/year/undo", "school_year_undo").of_school_year()
        .get(page!(school_year::undo::show))
        .post(limited_form!(school_year::undo::submit, school_year::undo::FIELDS)),
    Route::new("/admin/school/history", "school_history").of_school_year()
        .get(page!(school_year::history::show)),
    Route::new("/admin/school/{list}.csv", "school_csv").of_school_editor().get(page!(school::export::csv)),
    Route::new("/admin/school/{list}.json", "school_json").of_school_editor().get(page!(school::export::json)),
    Route::new("/admin/school/{list}/import", "school_import").of_school_editor()
        .with_body_limit(school::import::UPLOAD_LIMIT)
        .get(page!(school::import::show))
        .post(upload!(school::import::upload)),
    Route::new("/admin/school/{list}/import/plan", "school_import_plan").on_page("/admin/school/{list}/import").of_school_editor()
        .with_body_limit(school::import::PLAN_LIMIT)
        .post(limited_form!(school::import::submit, school::import::FIELDS)),
    Route::new("/admin/school/{list}", "school_records").of_school_editor().get(page!(school::list::show)),
    Route::new("/admin/school/{list}/new", "school_new").once("/admin/school/{list}", Flash::CreatedBefore).with_restored_form().of_school_editor().with_body_limit(RECORD_LIMIT)
        .get(page!(school::new::show))
        .post(limited_form!(school::new::submit, school::new::FIELDS)),
    Route::new("/admin/school/{list}/change", "school_change").with_restored_form().of_school_editor()
        .get(page!(school::change::show))
        .post(limited_form!(school::change::submit, school::change::FIELDS)),
    Route::new("/admin/school/{list}/{record}", "school_record").with_restored_form().of_school_editor().with_body_limit(RECORD_LIMIT)
        .get(page!(school::edit::show))
        .post(limited_form!(school::edit::submit, school::new::FIELDS)),
    Route::new("/admin/audit.csv", "audit_csv").for_administrators().get(page!(audit::export::show)),
    Route::new("/admin/audit", "audit").for_administrators().get(page!(audit::list::show)),
    Route::new("/admin/audit/explain", "audit_explain").for_administrators()
        .get(page!(audit::request_lookup::show)),
    Route::new("/admin/sync", "sync").for_administrators().with_sync()
        .get(page!(sync::show))
        .post(limited_form!(sync::submit, NO_FIELDS)),
    Route::new("/admin/keys", "all_keys").for_administrators().get(page!(keys::list::list_all)),
    Route::new("/admin/keys/{key}/fields", "key_fields").after_recent_sign_in().on_page("/keys/{key}").with_api_keys().for_administrators()
        .post(limited_form!(keys::fields::submit, keys::fields::FIELDS)),
    Route::new("/admin/applications", "all_applications").for_administrators()
        .get(page!(applications::list::list_all)),
    Route::new("/admin/clients", "all_clients").for_administrators()
        .get(page!(clients::list::list_all)),
    Route::new("/admin/waiting", "waiting").for_administrators().get(page!(waiting::show)),
];
