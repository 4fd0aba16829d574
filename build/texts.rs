//! Fluent catalogues as Rust code.
//!
//! * A message without arguments is a field: `sign-out` is `text.sign_out`.
//! * A message with arguments is a method, with the arguments in the order of the reference.
//! * A message with attributes is a field with texts by words, such as those of an enumeration.
//! * A message whose id begins with one of [`GROUPS`] is in a struct of its own: `errors-line` is
//!   `text.errors.line`.
//!
//! Catalogues may use text, arguments, and selections by a plural category, a number or a word.

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use fluent_syntax::parser;
use unic_langid::LanguageIdentifier;

const GROUPS: [&str; 13] = [
    "activity",
    "approvals",
    "audit",
    "calendars",
    "domain",
    "editor",
    "errors",
    "removal",
    "review",
    "school",
    "sync",
    "week",
    "year",
];

/// Part of a text.
enum Part {
    Text(String),
    Argument(String),
    /// An argument, and the variants with their keys. The last one is the default.
    Select(String, Vec<(String, Vec<Part>)>),
}

/// The texts of a language by their ids: `sign-out`, or `role.USER` for an attribute.
struct Catalogue<'a> {
    language: &'a str,
    texts: Vec<(String, Vec<Part>)>,
}

/// Returns the code for catalogues, each a language and the content of its file, or what is wrong
/// with them. The first one is the reference for the others.
pub(super) fn generate(sources: &[(String, String)]) -> Result<String, Vec<String>> {
    let mut faults = Vec::new();
    let catalogues: Vec<Catalogue> = sources
        .iter()
        .map(|(language, content)| Catalogue::parse(language, content, &mut faults))
        .collect();
    for other in catalogues.iter().skip(1) {
        other.compare(&catalogues[0], &mut faults);
    }
    if faults.is_empty() {
        Ok(code(&catalogues))
    } else {
        Err(faults)
    }
}

impl<'a> Catalogue<'a> {
    fn parse(language: &'a str, content: &str, faults: &mut Vec<String>) -> Self {
        let mut texts: Vec<(String, Vec<Part>)> = Vec::new();
        let mut fault = |what: String| faults.push(format!("src/texts/{language}.ftl: {what}"));
        // The parser also takes `pt_br`, which no browser would choose.
        if !LanguageIdentifier::from_bytes(language.as_bytes()).is_ok_and(|tag| tag == language) {
            fault(format!("`{language}` is no language tag such as `pt-BR`"));
        }
        let resource = parser::parse(content).unwrap_or_else(|(resource, errors)| {
            for error in errors {
                let line = content[..error.pos.start].matches('\n').count() + 1;
                fault(format!("line {line}: {error}"));
            }
            resource
        });
        for entry in resource.body {
            let message = match entry {
                Entry::Message(message) => message,
                Entry::Term(term) => {
                    fault(format!("term `-{}` is not supported", term.id.name));
                    continue;
                }
                _ => continue,
            };
            let id = message.id.name;
            if message.value.is_some() && !message.attributes.is_empty() {
                fault(format!("message `{id}` has both a text and attributes"));
            }
            let text = message.value.map(|value| (id.to_owned(), value));
            let attributes = message.attributes.into_iter();
            let words = attributes.map(|word| (format!("{id}.{}", word.id.name), word.value));
            for (id, value) in text.into_iter().chain(words) {
                match parts(value) {
                    _ if texts.iter().any(|(known, _)| *known == id) => {
                        fault(format!("message `{id}` is defined twice"));
                    }
                    Ok(parts) if id.contains('.') && !arguments(&parts).is_empty() => {
                        fault(format!("message `{id}` is an attribute with an argument"));
                    }
                    Ok(parts) => texts.push((id, parts)),
                    Err(what) => fault(format!("message `{id}` has {what}")),
                }
            }
        }
        Self { language, texts }
    }

    fn get(&self, id: &str) -> Option<&[Part]> {
        let text = self.texts.iter().find(|(known, _)| known == id);
        text.map(|(_, parts)| &parts[..])
    }

    /// Compares the ids and the arguments with those of the reference.
    fn compare(&self, reference: &Self, faults: &mut Vec<String>) {
        let (language, other) = (self.language, reference.language);
        let mut fault = |id: &str, what: String| {
            faults.push(format!("src/texts/{language}.ftl: message `{id}` {what}"));
        };
        for (id, expected) in &reference.texts {
            let Some(parts) = self.get(id) else {
                fault(id, "is missing".to_owned());
                continue;
            };
            let (actual, expected) = (arguments(parts), arguments(expected));
            for name in expected.iter().filter(|name| !actual.contains(name)) {
                fault(
                    id,
                    format!("has no argument ${name}, which src/texts/{other}.ftl has"),
                );
            }
            for name in actual.iter().filter(|name| !expected.contains(name)) {
                fault(
                    id,
                    format!("has the argument ${name}, which src/texts/{other}.ftl lacks"),
                );
            }
        }
        for (id, _) in self
            .texts
            .iter()
            .filter(|(id, _)| reference.get(id).is_none())
        {
            fault(id, format!("is not in src/texts/{other}.ftl"));
        }
    }
}

/// Returns the parts of a pattern, or the syntax in it that is not supported.
fn parts(pattern: Pattern<&str>) -> Result<Vec<Part>, &'static str> {
    let mut parts = Vec::new();
    for element in pattern.elements {
        let expression = match element {
            PatternElement::TextElement { value } => {
                match parts.last_mut() {
                    // The parser returns a text for each line.
                    Some(Part::Text(text)) => text.push_str(value),
                    _ => parts.push(Part::Text(value.to_owned())),
                }
                continue;
            }
            PatternElement::Placeable { expression } => expression,
        };
        parts.push(match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                Part::Argument(id.name.to_owned())
            }
            Expression::Select {
                selector: InlineExpression::VariableReference { id },
                mut variants,
            } => {
                variants.sort_by_key(|variant| variant.default);
                let variants = variants.into_iter().map(|variant| {
                    let (VariantKey::Identifier { name: key }
                    | VariantKey::NumberLiteral { value: key }) = variant.key;
                    Ok((key.to_owned(), self::parts(variant.value)?))
                });
                Part::Select(id.name.to_owned(), variants.collect::<Result<_, &str>>()?)
            }
            _ => return Err("a placeable that is neither an argument nor a selection by one"),
        });
    }
    Ok(parts)
}

/// Returns the arguments in the order of their first use.
fn arguments(parts: &[Part]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        let used = match part {
            Part::Text(_) => Vec::new(),
            Part::Argument(name) => vec![name.as_str()],
            Part::Select(name, variants) => {
                let inner = variants.iter().flat_map(|(_, parts)| arguments(parts));
                [name.as_str()].into_iter().chain(inner).collect()
            }
        };
        for name in used {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the text before and after the only argument, if there is one and no selection.
fn sentence(parts: &[Part]) -> Option<[&str; 2]> {
    match parts {
        [Part::Argument(_)] => Some(["", ""]),
        [Part::Argument(_), Part::Text(after)] => Some(["", after]),
        [Part::Text(before), Part::Argument(_)] => Some([before, ""]),
        [Part::Text(before), Part::Argument(_), Part::Text(after)] => Some([before, after]),
        _ => None,
    }
}

/// A field of the generated structs.
struct Field<'a> {
    group: &'a str,
    name: String,
    kind: Kind,
    /// The id of its text, or those of its words.
    ids: Vec<&'a str>,
    arguments: Vec<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Words,
    /// A text around its only argument, in every language.
    Sentence,
    /// Any other text with arguments.
    Template,
}

fn code(catalogues: &[Catalogue]) -> String {
    let fields = fields(catalogues);
    let of_group = |group: &str, line: &dyn Fn(&Field) -> String| -> String {
        let fields = fields.iter().filter(|field| field.group == group);
        fields.map(line).collect()
    };
    let (mut code, mut languages) = (String::new(), String::new());
    for group in [""].iter().chain(&GROUPS) {
        let name = type_name(group);
        let declarations = of_group(group, &|field| field.declaration());
        let methods = of_group(group, &|field| field.method());
        let groups = match *group {
            "" => {
                GROUPS
                    .map(|group| format!("pub(crate) {group}: {},\n", type_name(group)))
                    .concat()
                    + "pub(crate) language_code: &'static str,\n"
            }
            _ => String::new(),
        };
        code += &format!(
            "#[derive(Debug, Clone, Copy)]\npub(crate) struct {name} {{\n\
             {groups}{declarations}}}\n\
             // Some texts are only read by their field, with markup around the argument.\n\
             #[allow(dead_code)]\nimpl {name} {{\n{methods}}}\n"
        );
    }
    for catalogue in catalogues {
        let language = catalogue.language;
        let values = |group: &str| of_group(group, &|field| field.value(catalogue));
        let name = language.replace('-', "_").to_uppercase();
        let groups =
            GROUPS.map(|group| format!("{group}: {} {{\n{}}},\n", type_name(group), values(group)));
        code += &format!(
            "pub(crate) static {name}: Texts = Texts {{\nlanguage_code: {language:?},\n{}{}}};\n",
            groups.concat(),
            values("")
        );
        languages += &format!("&{name}, ");
    }
    code + &format!("pub(crate) static LANGUAGES: &[&Texts] = &[{languages}];\n")
}

/// Returns the fields for the texts of the reference.
fn fields<'a>(catalogues: &'a [Catalogue]) -> Vec<Field<'a>> {
    let mut fields: Vec<Field> = Vec::new();
    for (id, parts) in catalogues.iter().take(1).flat_map(|one| &one.texts) {
        let (message, word) = id.split_once('.').unwrap_or((id, ""));
        let (group, rest) = message.split_once('-').unwrap_or(("", message));
        let (group, rest) = match GROUPS.contains(&group) {
            true => (group, rest),
            false => ("", message),
        };
        let name = snake_case(rest);
        if let Some(words) = fields
            .iter_mut()
            .find(|field| field.kind == Kind::Words && field.group == group && field.name == name)
        {
            words.ids.push(id);
            continue;
        }
        let mut texts = catalogues.iter().filter_map(|one| one.get(id));
        let kind = if !word.is_empty() {
            Kind::Words
        } else if arguments(parts).is_empty() {
            Kind::Text
        } else if texts.all(|parts| sentence(parts).is_some()) {
            Kind::Sentence
        } else {
            Kind::Template
        };
        let (ids, arguments) = (vec![&id[..]], arguments(parts));
        fields.push(Field {
            group,
            name,
            kind,
            ids,
            arguments,
        });
    }
    fields
}

impl Field<'_> {
    fn declaration(&self) -> String {
        let kind = match self.kind {
            Kind::Text => "&'static str",
            Kind::Words => "Words",
            Kind::Sentence => "Sentence",
            Kind::Template => "Template",
        };
        format!("pub(crate) {}: {kind},\n", self.name)
    }

    fn value(&self, catalogue: &Catalogue) -> String {
        let parts = |id: &str| catalogue.get(id).unwrap_or_default();
        let value = match self.kind {
            Kind::Text => format!("{:?}", text(parts(self.ids[0]))),
            Kind::Words => {
                let words = self.ids.iter().map(|id| {
                    let word = id.split_once('.').map_or("", |(_, word)| word);
                    format!("({word:?}, {:?}), ", text(parts(id)))
                });
                format!("Words(&[{}])", words.collect::<String>())
            }
            Kind::Sentence => {
                let [before, after] = sentence(parts(self.ids[0])).unwrap_or_default();
                format!("Sentence {{ before: {before:?}, after: {after:?} }}")
            }
            Kind::Template => format!(
                "Template {{ language: {:?}, parts: {} }}",
                catalogue.language,
                self.template(parts(self.ids[0]))
            ),
        };
        format!("{}: {value},\n", self.name)
    }

    fn template(&self, parts: &[Part]) -> String {
        let place = |name: &str| {
            self.arguments
                .iter()
                .position(|known| *known == name)
                .unwrap_or_default()
        };
        let parts = parts.iter().map(|part| match part {
            Part::Text(text) => format!("Part::Text({text:?}), "),
            Part::Argument(name) => format!("Part::Argument({}), ", place(name)),
            Part::Select(name, variants) => {
                let variants = variants
                    .iter()
                    .map(|(key, parts)| format!("({key:?}, {}), ", self.template(parts)));
                format!(
                    "Part::Select({}, &[{}]), ",
                    place(name),
                    variants.collect::<String>()
                )
            }
        });
        format!("&[{}]", parts.collect::<String>())
    }

    fn method(&self) -> String {
        let names: Vec<String> = self.arguments.iter().map(|name| snake_case(name)).collect();
        let call = match self.kind {
            Kind::Text | Kind::Words => return String::new(),
            Kind::Sentence => names.concat(),
            Kind::Template => format!(
                "&[{}]",
                names
                    .iter()
                    .map(|name| format!("&{name}, "))
                    .collect::<String>()
            ),
        };
        let parameters: String = names
            .iter()
            .map(|name| format!(", {name}: impl Display"))
            .collect();
        let name = &self.name;
        format!(
            "pub(crate) fn {name}(&self{parameters}) -> String {{ self.{name}.fill({call}) }}\n"
        )
    }
}

fn text(parts: &[Part]) -> &str {
    match parts {
        [Part::Text(text)] => text,
        _ => "",
    }
}

fn snake_case(id: &str) -> String {
    id.replace('-', "_")
}

/// Name of the struct of a group, or of all texts.
fn type_name(group: &str) -> String {
    let (first, rest) = group.split_at(group.len().min(1));
    format!("{}{rest}Texts", first.to_uppercase())
}
