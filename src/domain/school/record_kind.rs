use crate::domain::string_enum;

string_enum! {
    /// The kinds of records that a school keeps itself, by the names of their lists.
    RecordKind {
        /// Students.
        Students = "students",
        /// Clubs.
        Clubs = "clubs",
        /// Projects.
        Projects = "projects",
    }
}
