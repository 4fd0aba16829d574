//! Clubs, students and projects, and the records of a day.

use super::ScenarioGroup;
use crate::testing::interleavings::neis::Neis as Kind;
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![
        clubs(),
        projects(),
        neis(Kind::Meal),
        neis(Kind::Event),
        neis(Kind::Lesson),
    ]
}

const CLUB: Operation = PutClub { club: 1, leader: 0 };
const MEMBER: Operation = PutStudent {
    student: 1,
    club: 1,
};
const LED: Operation = PutClub { club: 1, leader: 1 };

fn clubs() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("no club", vec![]),
            ("a club and its member", vec![CLUB, MEMBER]),
            ("a club and its leader", vec![CLUB, MEMBER, LED]),
        ],
        operations: vec![
            CLUB,
            LED,
            RemoveClub { club: 1 },
            MEMBER,
            PutStudent {
                student: 1,
                club: 0,
            },
            RemoveStudent { student: 1 },
            PutClubAndStudent {
                club: 2,
                student: 2,
                into: 1,
            },
            Clubs,
        ],
    }
}

fn projects() -> ScenarioGroup {
    let put = |club, participants| PutProject {
        project: 1,
        club,
        participants,
    };
    let people = vec![
        CLUB,
        MEMBER,
        PutStudent {
            student: 2,
            club: 0,
        },
    ];
    ScenarioGroup {
        states: vec![
            ("a club and two students", people.clone()),
            ("their project", [people, vec![put(1, [1, 2])]].concat()),
        ],
        operations: vec![
            put(1, [1, 2]),
            put(0, [1, 0]),
            RemoveProject { project: 1 },
            RemoveStudent { student: 1 },
            RemoveClub { club: 1 },
            Projects,
        ],
    }
}

fn neis(what: Kind) -> ScenarioGroup {
    let put = |version| PutNeis {
        what,
        number: 1,
        version,
    };
    ScenarioGroup {
        states: vec![
            (
                "a day",
                vec![PutNeis {
                    what,
                    number: 2,
                    version: 1,
                }],
            ),
            ("a day with it", vec![put(1)]),
        ],
        operations: vec![
            put(2),
            put(3),
            RemoveNeis { what, number: 1 },
            Neis { what },
        ],
    }
}
