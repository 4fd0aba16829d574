use crate::domain::{ClassNum, Enrollment, Grade, Major, SeatNumber};

/// What only one student has: a number in a class. Some schools number the classes inside each
/// department, so the major is a part of it. The student number is none of it: 2105 is a number of
/// the class 1-11, and one of 2-1.
pub(super) type Seat<'a> = (Grade, ClassNum, SeatNumber, &'a Major);

pub(super) const fn seat(enrollment: &Enrollment) -> Seat<'_> {
    let Enrollment {
        grade,
        class_num,
        number,
        major,
        ..
    } = enrollment;
    (*grade, *class_num, *number, major)
}
