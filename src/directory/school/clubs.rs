use serde_json::json;

use super::settings::SchoolSettings;
use super::{enum_values, shared_fields};
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{ApiScope, ClubProfile, ClubStatus, ClubType};

/// Defines `GET /v1/clubs`.
pub(super) fn resource(settings: &SchoolSettings) -> Resource<ClubProfile> {
    type F = Field<ClubProfile>;
    let participant = shared_fields::participant(settings);
    let fields = [
        F::id("id", |profile| profile.club.id.get())
            .filter(Parameter::new("clubId", "The club with this id."))
            .sort("ID")
            .omit_from_table(),
        F::text("name", |profile| Some(&profile.club.name))
            .filter(Parameter::new("clubName", "Part of the name.").pinned())
            .sort("NAME"),
        F::enumeration("type", &enum_values!(ClubType), |profile| {
            Some(profile.club.kind.as_str())
        })
        .filter(Parameter::new("clubType", "The type.").pinned())
        .sort("TYPE"),
        F::enumeration("status", &enum_values!(ClubStatus), |profile| {
            Some(profile.club.status().as_str())
        })
        .filter(
            Parameter::new("status", "The status; `clubStatus` is another name for it.")
                .alias("clubStatus")
                .pinned(),
        )
        .sort("STATUS"),
        F::int("foundedYear", |profile| {
            Some(profile.club.years.first().get())
        })
        .range(1..=9999)
        .filter(Parameter::new("foundedYear", "The year of founding."))
        .sort("FOUNDED_YEAR"),
        F::int("abolishedYear", |profile| {
            Some(profile.club.years.last()?.get())
        })
        .nullable()
        .description("`null` while the club is running.")
        .sort("ABOLISHED_YEAR"),
        F::object("leader", &participant, |profile| profile.leader())
            .nullable()
            .description("`null` if there is none, for example because they graduated."),
        F::objects(
            "participants",
            &participant,
            |profile, with_leader, each| {
                let is_listed = |id| with_leader || Some(id) != profile.club.leader;
                profile
                    .members
                    .iter()
                    .filter(|member| is_listed(member.id))
                    .for_each(each);
            },
        )
        .description("The members by id, without the leader unless the request asks for it."),
    ];
    let student = json!({
        "id": 41, "name": "김하늘", "email": "s24041@school.example", "studentNumber": 2307, "major": "SW_DEVELOPMENT", "sex": "WOMAN"
    });
    Resource::new("clubs", "/v1/clubs", ApiScope::CLUB_READ, Object::new("ClubResDto", "A club.", fields))
        .title("Clubs")
        .browse_by("NAME")
        .render_flag("includeLeaderInParticipants", "Whether the leader is also among the participants.")
        .nested_records(|profile| profile.members.len())
        .reorder(&[], &["ID", "NAME", "TYPE", "FOUNDED_YEAR", "ABOLISHED_YEAR", "STATUS"])
        .example(json!({
            "id": 3, "name": "반딧불", "type": "MAJOR_CLUB", "status": "ACTIVE", "foundedYear": 2021, "abolishedYear": null,
            "leader": student, "participants": []
        }))
}
