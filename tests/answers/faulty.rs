//! The comparison must notice a store that leaves text, order or absence to its database: each of these does so in one way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use lyceum::testing::differential::compare_answers;

/// What the store leaves to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    SortsWithoutCase,
    SortsByUtf16,
    PutsMissingValuesFirst,
    BreaksTiesUpwardsOnly,
    TakesUnderscoreForAWildcard,
    FoldsAsciiOnly,
    ForgetsToCompose,
    IgnoresBlanksAtTheEnd,
    CutsTextAtAControlCharacter,
    SortsEventsWithoutCase,
    ForgetsAMember,
}

/// A memory store that answers as a database with other habits would.
#[derive(Debug)]
struct Habitual {
    store: MemoryStore,
    fault: Option<Fault>,
}

type Answer<T> = Result<T, StorageError>;

impl Habitual {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Whether a name is found, where the database decides it.
    fn finds(&self, name: &str, needle: &Needle) -> bool {
        match self.fault {
            Some(Fault::TakesUnderscoreForAWildcard) => is_like(&fold(name), needle.as_str()),
            Some(Fault::FoldsAsciiOnly) => name.to_ascii_lowercase().contains(needle.as_str()),
            Some(Fault::ForgetsToCompose) => name.to_lowercase().contains(needle.as_str()),
            Some(Fault::IgnoresBlanksAtTheEnd) => fold(name).contains(needle.as_str().trim_end()),
            _ => needle.is_in(&fold(name)),
        }
    }

    fn is_about_needles(&self) -> bool {
        use Fault::{FoldsAsciiOnly, ForgetsToCompose, IgnoresBlanksAtTheEnd, TakesUnderscoreForAWildcard};
        matches!(self.fault, Some(FoldsAsciiOnly | ForgetsToCompose | IgnoresBlanksAtTheEnd | TakesUnderscoreForAWildcard))
    }
}

/// SQL's `LIKE '%needle%'` with `_` for any character.
fn is_like(text: &str, needle: &str) -> bool {
    let (text, needle): (Vec<_>, Vec<_>) = (text.chars().collect(), needle.chars().collect());
    text.windows(needle.len()).any(|part| part.iter().zip(&needle).all(|(one, other)| one == other || *other == '_'))
}

#[async_trait]
impl SchoolDirectory for Habitual {
    async fn students(&self, query: &StudentQuery) -> Answer<Page<StudentProfile>> {
        let (sort, wanted) = (query.sort, query.page);
        let mut query = query.clone();
        query.page = PageRequest::new(0, PageRequest::MAX_SIZE).unwrap();
        let name = if self.is_about_needles() { query.filter.name.take() } else { None };
        let mut found = self.store.students(&query).await?.items;
        found.retain(|record| name.as_ref().is_none_or(|needle| self.finds(&record.value().student.name, needle)));
        let student = |record: &Arc<Record<StudentProfile>>| record.value().student.clone();
        let descending = query.direction == Direction::Descending;
        match sort {
            StudentSort::Name if self.has(Fault::SortsWithoutCase) => found.sort_by_key(|record| fold(&student(record).name)),
            StudentSort::Name if self.has(Fault::SortsByUtf16) => {
                found.sort_by_key(|record| student(record).name.encode_utf16().collect::<Vec<_>>());
            }
            StudentSort::Grade if self.has(Fault::PutsMissingValuesFirst) => {
                found.sort_by_key(|record| student(record).enrolment().is_some());
            }
            StudentSort::Sex if self.has(Fault::BreaksTiesUpwardsOnly) => {
                found.sort_by_key(|record| (student(record).sex.as_str(), student(record).id));
                if descending {
                    found.sort_by_key(|record| std::cmp::Reverse(student(record).sex.as_str()));
                }
            }
            _ => {}
        }
        if descending && matches!(self.fault, Some(Fault::SortsWithoutCase | Fault::SortsByUtf16)) && sort == StudentSort::Name {
            found.reverse();
        }
        let total = found.len() as u64;
        let items = found.into_iter().skip(wanted.offset() as usize).take(wanted.size() as usize).collect();
        Ok(Page { total, items })
    }

    async fn clubs(&self, query: &ClubQuery) -> Answer<Page<ClubProfile>> {
        let mut page = self.store.clubs(query).await?;
        if self.has(Fault::ForgetsAMember) {
            for club in &mut page.items {
                let mut profile = club.value().clone();
                profile.members.truncate(4);
                *club = Arc::new(Record::new(profile));
            }
        }
        Ok(page)
    }

    async fn projects(&self, query: &ProjectQuery) -> Answer<Page<ProjectProfile>> {
        let mut page = self.store.projects(query).await?;
        if self.has(Fault::CutsTextAtAControlCharacter) {
            for project in &mut page.items {
                let mut profile = project.value().clone();
                let text = profile.project.description.split(char::is_control).next().unwrap_or_default().parse().unwrap();
                profile.project.description = text;
                *project = Arc::new(Record::new(profile));
            }
        }
        Ok(page)
    }

    async fn student_changes(&self, query: &ChangesQuery<StudentFilter>) -> Answer<Delta<StudentProfile>> {
        self.store.student_changes(query).await
    }

    async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Answer<Delta<ClubProfile>> {
        self.store.club_changes(query).await
    }

    async fn project_changes(&self, query: &ChangesQuery<ProjectFilter>) -> Answer<Delta<ProjectProfile>> {
        self.store.project_changes(query).await
    }

    async fn meals(&self, days: DateRange) -> Answer<Vec<Arc<Record<Meal>>>> {
        self.store.meals(days).await
    }

    async fn events(&self, days: DateRange) -> Answer<Vec<Arc<Record<SchoolEvent>>>> {
        let mut events = self.store.events(days).await?;
        if self.has(Fault::SortsEventsWithoutCase) {
            events.sort_by_key(|event| (event.value().date, fold(&event.value().name), event.value().id.clone()));
        }
        Ok(events)
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Answer<Vec<Arc<Record<Lesson>>>> {
        self.store.lessons(days, filter).await
    }

    async fn version(&self) -> Answer<DatasetVersion> {
        self.store.version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Answer<Writing> {
        self.store.write(changes).await
    }
}

#[async_trait]
impl ApiKeyStore for Habitual {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.store.create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Answer<Issuance> {
        self.store.issue_api_key(key, at_most).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        self.store.api_key(digest).await
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Answer<Option<Arc<ApiKey>>> {
        self.store.api_key_by_id(id).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Arc<ApiKey>>> {
        self.store.api_keys(owner, page).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Answer<Renewal> {
        self.store.renew_api_key(id, renewal, at).await
    }

    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Answer<()> {
        self.store.touch_api_keys(uses).await
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Answer<Vec<(Date, u64)>> {
        self.store.api_key_usage(id, days).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Answer<bool> {
        self.store.claim_expiry_notice(id, expires_at).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.store.revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Answer<usize> {
        self.store.revoke_api_keys_of(owner, at).await
    }
}

/// How the comparison ends: with a panic's words, or without one.
fn comparison(fault: Option<Fault>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let comparing = || {
        for seed in 1..=8 {
            let stores: [(&str, Arc<dyn SchoolStorage>); 2] =
                [("memory", Arc::new(MemoryStore::new())), ("faulty", Arc::new(Habitual { store: MemoryStore::new(), fault }))];
            runtime.block_on(compare_answers(&stores, seed, super::BATCHES)).unwrap();
        }
    };
    catch_unwind(AssertUnwindSafe(comparing)).map_err(|panic| *panic.downcast().unwrap())
}

macro_rules! bites {
    ($($test:ident: $fault:ident differs at $address:literal;)+) => {$(
        #[test]
        fn $test() {
            let difference = comparison(Some(Fault::$fault)).expect_err("the comparison does not notice");
            assert!(difference.contains($address), "{difference}");
        }
    )+};
}

bites! {
    a_store_must_not_sort_without_case: SortsWithoutCase differs at "/v1/students?sortBy=NAME";
    a_store_must_not_sort_by_the_halves_of_characters: SortsByUtf16 differs at "sortBy=NAME";
    a_store_must_put_missing_values_last: PutsMissingValuesFirst differs at "sortBy=GRADE";
    a_store_must_break_ties_in_the_direction_of_the_order: BreaksTiesUpwardsOnly differs at "sortBy=SEX";
    an_underscore_is_no_wildcard: TakesUnderscoreForAWildcard differs at "?name=";
    a_store_must_fold_more_than_ascii: FoldsAsciiOnly differs at "?name=";
    a_store_must_compose_what_it_folds: ForgetsToCompose differs at "?name=";
    a_store_must_look_for_blanks_at_the_end: IgnoresBlanksAtTheEnd differs at "?name=";
    a_store_must_keep_all_lines_of_a_text: CutsTextAtAControlCharacter differs at "/v1/projects";
    a_store_must_sort_events_by_code_point: SortsEventsWithoutCase differs at "/v1/neis/schedules";
    a_store_must_name_every_member: ForgetsAMember differs at "/v1/clubs";
}

#[test]
fn a_store_without_a_fault_gives_the_same_bytes() {
    comparison(None).unwrap();
}
