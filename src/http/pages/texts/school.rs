use super::SchoolTexts;

impl SchoolTexts {
    pub(crate) fn list(&self, name: &str) -> Option<&'static str> {
        self.list.get(name)
    }

    /// Label of a field or a parameter.
    pub(crate) fn field(&self, name: &str) -> Option<&'static str> {
        self.field.get(name)
    }

    /// Label of an enumeration value, by the name of the enumeration in OpenAPI.
    pub(crate) fn word(&self, words: &str, word: &str) -> Option<&'static str> {
        let is_it = |known: &str| known.split_once('-') == Some((words, word));
        let found = self.word.0.iter().find(|(known, _)| is_it(known));
        found.map(|(_, text)| *text)
    }

    /// The major that has this label.
    pub(crate) fn major_called(&self, label: &str) -> Option<&'static str> {
        let mut majors = self.word.0.iter().filter_map(|(known, text)| {
            let major = known.strip_prefix("Major-")?;
            (*text == label).then_some(major)
        });
        majors.next()
    }
}

#[cfg(test)]
mod tests {
    use crate::directory::{FieldType, ObjectType, SchoolResources};
    use crate::http::pages::texts::{LANGUAGES, Texts};

    #[test]
    fn all_that_the_lists_show_has_a_text_in_each_language() {
        fn without_text(text: &Texts, record: &ObjectType) -> Vec<String> {
            let texts = &text.school;
            let mut missing = Vec::new();
            for field in &record.fields {
                missing.extend(
                    texts
                        .field(field.name)
                        .is_none()
                        .then(|| field.name.to_owned()),
                );
                if let FieldType::Enum(words) = &field.kind {
                    let unknown = words
                        .iter()
                        .filter(|word| texts.word(words.name(), word).is_none());
                    missing.extend(unknown.map(|word| format!("{}.{word}", words.name())));
                }
            }
            missing
        }
        for text in LANGUAGES {
            for list in SchoolResources::standard().definitions() {
                assert_eq!(
                    without_text(text, &list.record),
                    [] as [String; 0],
                    "{}",
                    list.name
                );
                assert!(text.school.list(list.name).is_some(), "{}", list.name);
                let parameters = list
                    .parameters
                    .iter()
                    .map(|parameter| parameter.field)
                    .chain(list.flags().map(|flag| flag.name));
                let missing: Vec<_> = parameters
                    .filter(|name| text.school.field(name).is_none())
                    .collect();
                assert_eq!(missing, [] as [&str; 0], "{}", list.name);
            }
        }
    }
}
