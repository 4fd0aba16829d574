use serde_json::json;

use super::settings::SchoolSettings;
use super::{enum_values, shared_fields};
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{ApiScope, ProjectProfile, ProjectStatus};

/// Defines `GET /v1/projects`.
pub(super) fn resource(settings: &SchoolSettings) -> Resource<ProjectProfile> {
    type F = Field<ProjectProfile>;
    let fields = [
        F::id("id", |profile| profile.project.id.get())
            .filter(Parameter::new("projectId", "The project with this id."))
            .sort("ID")
            .omit_from_table(),
        F::text("name", |profile| Some(&profile.project.name))
            .filter(Parameter::new("projectName", "Part of the name.").pinned())
            .sort("NAME"),
        F::text("description", |profile| Some(&profile.project.description)).omit_from_table(),
        F::int("startYear", |profile| {
            Some(profile.project.years.first().get())
        }),
        F::int("endYear", |profile| {
            Some(profile.project.years.last()?.get())
        })
        .nullable()
        .description("`null` while the project is running."),
        F::enumeration("status", &enum_values!(ProjectStatus), |profile| {
            Some(profile.project.status().as_str())
        })
        .filter(
            Parameter::new("status", "The status. By default `ACTIVE`.")
                .default_value("ACTIVE")
                .pinned(),
        ),
        F::object("club", &shared_fields::club_summary(), |profile| {
            profile.club.as_ref()
        })
        .nullable(),
        F::long("clubId", |profile| Some(profile.project.club?.get()))
            .filter_only()
            .range(1..=i64::MAX)
            .filter(Parameter::new("clubId", "Projects of this club.")),
        F::objects(
            "participants",
            &shared_fields::participant(settings),
            |profile, _, each| profile.participants.iter().for_each(each),
        ),
        F::texts("repositories", Some(20), |profile, each| {
            profile
                .project
                .repositories
                .as_slice()
                .iter()
                .for_each(|address| each(address));
        })
        .web_address(),
        F::texts("techStacks", Some(20), |profile, each| {
            profile
                .project
                .tech_stacks
                .as_slice()
                .iter()
                .for_each(|name| each(name))
        }),
    ];
    let student = json!({
        "id": 41, "name": "김하늘", "email": "s24041@school.example", "studentNumber": 2307, "major": "SW_DEVELOPMENT", "sex": "WOMAN"
    });
    Resource::new("projects", "/v1/projects", ApiScope::PROJECT_READ, Object::new("ProjectResDto", "A project.", fields))
        .title("Projects")
        .browse_by("NAME")
        .reorder(&["projectId", "projectName", "clubId", "status"], &[])
        .example(json!({
            "id": 8, "name": "급식 알리미", "description": "Tells what is for lunch.", "startYear": 2026, "endYear": null, "status": "ACTIVE",
            "club": { "id": 3, "name": "반딧불", "type": "MAJOR_CLUB" }, "participants": [student],
            "repositories": ["https://github.com/haneul-example/lunch"], "techStacks": ["Rust", "SQLite"]
        }))
}
