//! View models: a struct for each template.

mod accounts;
mod applications;
mod audit;
mod authorized_apps;
mod client_form;
mod clients;
mod components;
mod confirm;
mod data;
mod error;
mod form_errors;
mod home;
mod keys;
mod layout;
mod own_account;
mod page_links;
mod page_names;
mod scopes;
mod sign_in;
mod usage;

pub(super) use accounts::{AccountDetailsPage, AccountNewPage, AccountRow, AccountsPage};
pub(super) use applications::{
    ApplicationFormPage, ApplicationPage, ApplicationRow, ApplicationsPage, ScopeRow, ScopeUsageRow,
};
pub(super) use audit::{AuditPage, EventRow, RequestLookupPage};
pub(super) use authorized_apps::{AuthorizedAppRow, AuthorizedAppsPage};
pub(super) use client_form::{ClientFormPage, ScopeGroup, ScopeOption};
pub(super) use clients::{
    AdviceRow, ClientPage, ClientRow, ClientScope, ClientsPage, ReviewBadge, SecretRow,
};
pub(super) use components::{CodeSample, LabeledValue, RadioOption, SelectOption, ShownOncePage};
pub(super) use confirm::{AffectedClient, ConfirmPage, HiddenInput, Switch};
pub(super) use data::{
    DataPage, FilterField, KeyOption, ListLink, TableCell, TableColumn, TableRow,
};
pub(super) use error::ErrorPage;
pub(super) use form_errors::FormErrors;
pub(super) use home::{AttentionItem, HomePage};
pub(super) use keys::{
    KeyFieldOption, KeyNewPage, KeyPage, KeyRenewPage, KeyRow, KeyScopeOption, KeyStatusBadge,
    KeysPage, PreviousKeyValue,
};
pub(super) use layout::Layout;
pub(super) use own_account::{ChangePasswordPage, OwnAccountPage, SessionRow};
pub(super) use page_links::PageLinks;
pub(super) use scopes::{ScopeClientRow, ScopeFormPage, ScopePage};
pub(super) use sign_in::SignInPage;
pub(super) use usage::UsageChart;
