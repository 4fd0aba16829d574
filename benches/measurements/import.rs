//! Time that an import of 10,000 students takes, in a separate process.

use std::fmt::Write as _;
use std::time::Instant;

use lyceum::directory::{Directory, DirectoryChange};
use lyceum::domain::RecordKind;
use lyceum::import::{ApplyOutcome, Import};

use crate::support::report::{ROUNDS, print};
use crate::support::{school, server};

const STUDENTS: usize = 10_000;

/// `import NAME STORE`: measures `import_diff_NAME` and `import_NAME`. The first file adds all
/// students, and each later one changes all.
pub fn run(arguments: &[&str]) {
    let [name, store] = arguments else {
        panic!("import NAME STORE")
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (store, _) = server::open(store).await;
        let directory = Directory::open(store).await.unwrap();
        let (clubs, _) = school::students(0);
        let _ = directory
            .write(clubs.into_iter().map(DirectoryChange::PutClub).collect())
            .await
            .unwrap();
        let (mut compared, mut applied) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let file = file(round);
            let started = Instant::now();
            let import = Import::new(RecordKind::Students);
            let plan = import.plan(&directory, file).await.unwrap();
            compared.push((
                started.elapsed().as_secs_f64(),
                "seconds until the differences are known".to_owned(),
            ));
            assert_eq!(plan.added() + plan.changed(), STUDENTS);
            assert!(matches!(
                plan.apply(&directory).await.unwrap(),
                ApplyOutcome::Applied(_)
            ));
            applied.push((
                started.elapsed().as_secs_f64(),
                "seconds until they are durable and shown".to_owned(),
            ));
        }
        print(&format!("import_diff_{name}"), compared);
        print(&format!("import_{name}"), applied);
    });
}

/// A file with the students, whose specialties are those of the round.
fn file(round: usize) -> String {
    let mut file = "name,sex,email,grade,classNum,number,major,specialty\n".to_owned();
    for student in school::students(STUDENTS).1 {
        let enrollment = student.enrollment().unwrap();
        writeln!(
            file,
            "{},{},{},{},{},{},{},Round {round}",
            &*student.name,
            student.sex.as_str(),
            student.email.as_str(),
            enrollment.grade.get(),
            enrollment.class_num.get(),
            enrollment.number.get(),
            enrollment.major.as_str(),
        )
        .unwrap();
    }
    file
}
