//! What pages show: a struct for each template, made from what the domain has.

// Pages that are not there yet have their views.
#![allow(dead_code, unused_imports)]

mod account;
mod applications;
mod apps;
mod audit;
mod client_form;
mod clients;
mod confirm;
mod data;
mod error;
mod frame;
mod home;
mod keys;
mod pager;
mod parts;
mod people;
mod problems;
mod scopes;
mod sign_in;
mod usage;

pub(super) use account::{AccountPage, AccountPasswordPage, SessionRow};
pub(super) use applications::{ApplicationFormPage, ApplicationPage, ApplicationRow, ApplicationsPage, ScopeRow};
pub(super) use apps::{AllowedScope, AppsPage, ConnectedApp};
pub(super) use audit::{AuditExplainPage, AuditPage, EventRow};
pub(super) use client_form::{ClientFormPage, OfferedScope, OfferedScopes};
pub(super) use clients::{AdviceRow, ClientPage, ClientRow, ClientScope, ClientsPage, SecretRow};
pub(super) use confirm::{ConfirmPage, HiddenInput, TouchedClient};
pub(super) use data::{Cell, Column, DataKind, DataPage, Filter, KeyChoice, Row};
pub(super) use error::ErrorPage;
pub(super) use frame::Frame;
pub(super) use home::{Attention, HomePage};
pub(super) use keys::{KeyFieldChoice, KeyNewPage, KeyPage, KeyRenewPage, KeyRow, KeyScopeChoice, KeyState, KeysPage};
pub(super) use pager::Pages;
pub(super) use parts::{Choice, Fact, HintedChoice, Sample, ShownOncePage};
pub(super) use people::{PeoplePage, PersonNewPage, PersonPage, PersonRow};
pub(super) use problems::Problems;
pub(super) use scopes::{ScopeClientRow, ScopeFormPage, ScopePage};
pub(super) use sign_in::SignInPage;
pub(super) use usage::Usage;
