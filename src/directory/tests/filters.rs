use super::{page, sample_directory, snapshot, write};
use crate::directory::DirectoryChange::{PutClub, PutProject};
use crate::directory::fixtures::{club, project};
use crate::domain::{Club, ClubType, Project, Year, YearRange};

#[test]
fn clubs_and_projects_are_found_by_each_of_their_filters() {
    let directory = sample_directory();
    let years = |first, last: Option<i64>| {
        YearRange::new(
            Year::new(first).unwrap(),
            last.map(|last| Year::new(last).unwrap()),
        )
        .unwrap()
    };
    write(
        &directory,
        vec![
            PutClub(Club {
                years: years(2015, Some(2021)),
                ..club(3, ClubType::Major, None)
            }),
            PutClub(Club {
                years: years(2020, Some(2020)),
                name: "Robotics".parse().unwrap(),
                ..club(4, ClubType::Major, None)
            }),
            PutProject(Project {
                years: years(2023, Some(2024)),
                ..project(2, Some(2), &[])
            }),
        ],
    );
    let school = snapshot(&directory);
    let clubs = |parameters| {
        page(school.clubs(), parameters)
            .values()
            .map(|profile| profile.club.id.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(clubs(&[("clubId", "3")]), [3]);
    assert_eq!(clubs(&[("clubId", "9")]), [0_i64; 0]);
    assert_eq!(clubs(&[("clubName", "ROBOT")]), [4]);
    assert_eq!(clubs(&[("clubType", "AUTONOMOUS_CLUB")]), [2]);
    assert_eq!(clubs(&[("status", "ABOLISHED")]), [3, 4]);
    assert_eq!(
        clubs(&[("foundedYear", "2020"), ("status", "ACTIVE")]),
        [1, 2]
    );
    assert_eq!(
        clubs(&[
            ("foundedYear", "2020"),
            ("sortBy", "NAME"),
            ("sortDirection", "DESC")
        ]),
        [4, 2, 1]
    );
    assert_eq!(
        clubs(&[("sortBy", "ABOLISHED_YEAR"), ("sortDirection", "DESC")]),
        [3, 4, 2, 1]
    );
    assert_eq!(
        clubs(&[("sortBy", "TYPE")]),
        [2, 1, 3, 4],
        "in the order of the types' names"
    );
    assert_eq!(
        clubs(&[("sortBy", "STATUS")]),
        [3, 4, 1, 2],
        "in the order of the statuses' names"
    );

    let projects = |parameters| {
        page(school.projects(), parameters)
            .values()
            .map(|profile| profile.project.id.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(projects(&[]), [1], "only active projects by default");
    assert_eq!(projects(&[("projectId", "1")]), [1]);
    assert_eq!(projects(&[("projectName", "ECT 2")]), [0_i64; 0]);
    assert_eq!(
        projects(&[("projectName", "ECT 2"), ("status", "ENDED")]),
        [2]
    );
    assert_eq!(projects(&[("clubId", "1")]), [1]);
    assert_eq!(projects(&[("status", "ENDED")]), [2]);
}
