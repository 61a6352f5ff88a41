//! Reads a file of profiles.

use crate::error::{KEYS, near};
use crate::{Fault, Known, Profile, ProfileError, pattern};
use callmend::{Cascade, Closure};
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

const CASCADES: &[&str] = &["standard", "extended"];
const CLOSURES: &[&str] = &["authored", "synthesized", "closed"];

/// The profiles of a file, by model.
///
/// ```
/// use callmend_profiles::{Known, Profiles};
///
/// let profiles = Profiles::parse(r#"
///     ["*"]
///     cascade = "extended"
///
///     ["anthropic/claude-opus-4-6"]
///     repair = false
/// "#, &Known::of_this_program())?;
///
/// let opus = profiles.for_model("anthropic/claude-opus-4-6");
/// assert!(!opus.repair);
/// assert_eq!(opus.cascade, callmend::Cascade::Extended); // field by field: from `*`
/// assert!(profiles.for_model("openai/gpt-5").repair);
/// # Ok::<(), callmend_profiles::ProfileError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profiles {
    by_key: HashMap<String, Fields>,
}

/// What one table says.
#[derive(Debug, Clone, Default, PartialEq)]
struct Fields {
    repair: Option<bool>,
    cascade: Option<Cascade>,
    stages: Option<Vec<String>>,
    tools: Option<Vec<String>>,
    closure: Option<Closure>,
}

impl Profiles {
    /// Reads a file. Stages and tools that it names are looked up in `known`.
    ///
    /// # Errors
    ///
    /// The first fault in the file, with its line; for an unknown name, the nearest one.
    pub fn parse(text: &str, known: &Known) -> Result<Self, ProfileError> {
        let reader = Reader { text, known };
        let root = DeTable::parse(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            reader.error(at, Fault::Syntax(error.message().to_owned()))
        })?;
        let mut by_key = HashMap::new();
        for (key, value) in in_order(root.get_ref()) {
            let name = key.get_ref().as_ref();
            let DeValue::Table(table) = value.get_ref() else {
                return Err(reader.no_table(key));
            };
            if pattern::read(name).is_none() {
                return Err(reader.unknown_model(key, table));
            }
            by_key.insert(name.to_owned(), reader.fields(table)?);
        }
        Ok(Self { by_key })
    }

    /// Gives the profile of a model: for each field, what the most specific table that sets it
    /// says, and [`Profile::default`]'s value where none does.
    ///
    /// A model is named `provider/model`; the name may hold further slashes, and every `…/*` that
    /// it falls under counts, the longest first. Names are matched exactly, letter case included.
    pub fn for_model(&self, model: &str) -> Profile {
        let mut profile = Profile::default();
        let mut fields = Fields::default();
        for key in pattern::keys_of(model) {
            if let Some(found) = self.by_key.get(&key) {
                fields.fill(found);
            }
        }
        profile.repair = fields.repair.unwrap_or(profile.repair);
        profile.cascade = fields.cascade.unwrap_or(profile.cascade);
        profile.stages = fields.stages;
        profile.tools = fields.tools;
        profile.closure = fields.closure;
        profile
    }

    /// Lists the keys of the file, in bytewise order.
    pub fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<_> = self.by_key.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }
}

impl Fields {
    /// Takes what a less specific table says of the fields that are not set yet.
    fn fill(&mut self, other: &Self) {
        self.repair = self.repair.or(other.repair);
        self.cascade = self.cascade.or(other.cascade);
        self.closure = self.closure.or(other.closure);
        if self.stages.is_none() {
            self.stages.clone_from(&other.stages);
        }
        if self.tools.is_none() {
            self.tools.clone_from(&other.tools);
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    known: &'t Known,
}

impl Reader<'_> {
    fn fields(&self, table: &DeTable<'_>) -> Result<Fields, ProfileError> {
        let mut fields = Fields::default();
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "repair" => match value.get_ref() {
                    DeValue::Boolean(flag) => fields.repair = Some(*flag),
                    _ => return Err(self.wrong_type(value, "repair", "true or false")),
                },
                "cascade" => {
                    let word = self.word(value, "cascade", CASCADES)?;
                    fields.cascade = Some(match word {
                        "extended" => Cascade::Extended,
                        _ => Cascade::Standard,
                    });
                }
                "closure" => {
                    let word = self.word(value, "closure", CLOSURES)?;
                    fields.closure = Closure::from_word(word);
                }
                "stages" => {
                    let known = &self.known.stages;
                    fields.stages = Some(self.list(value, "stages", |id| {
                        (!known.contains(&id)).then(|| Fault::Stage {
                            nearest: near(&id, known),
                            known: known.clone(),
                            id,
                        })
                    })?);
                }
                "tools" => {
                    let known = self.known.tools.as_ref();
                    fields.tools = Some(self.list(value, "tools", |name| {
                        let known = known.filter(|known| !known.contains(&name))?;
                        Some(Fault::Tool {
                            nearest: near(&name, known),
                            known: known.clone(),
                            name,
                        })
                    })?);
                }
                other => {
                    let fault = Fault::Key {
                        key: other.to_owned(),
                        nearest: near(other, &KEYS),
                    };
                    return Err(self.error(key.span(), fault));
                }
            }
        }
        Ok(fields)
    }

    /// Reads a list of names; `check` says what is wrong with one.
    fn list(
        &self,
        value: &Spanned<DeValue<'_>>,
        key: &'static str,
        check: impl Fn(String) -> Option<Fault>,
    ) -> Result<Vec<String>, ProfileError> {
        let expected = "a list of names";
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.wrong_type(value, key, expected));
        };
        let mut names = Vec::new();
        for item in items.iter() {
            let DeValue::String(name) = item.get_ref() else {
                return Err(self.wrong_type(item, key, expected));
            };
            if let Some(fault) = check(name.clone().into_owned()) {
                return Err(self.error(item.span(), fault));
            }
            names.push(name.clone().into_owned());
        }
        Ok(names)
    }

    fn word(
        &self,
        value: &Spanned<DeValue<'_>>,
        key: &'static str,
        known: &'static [&'static str],
    ) -> Result<&'static str, ProfileError> {
        let DeValue::String(word) = value.get_ref() else {
            return Err(self.wrong_type(value, key, "a word in quotes"));
        };
        let mut words = known.iter().copied();
        words.find(|other| *other == word.as_ref()).ok_or_else(|| {
            let fault = Fault::Word {
                key,
                word: word.clone().into_owned(),
                nearest: near(word, known),
                known,
            };
            self.error(value.span(), fault)
        })
    }

    fn wrong_type(
        &self,
        value: &Spanned<DeValue<'_>>,
        key: &'static str,
        expected: &'static str,
    ) -> ProfileError {
        self.error(value.span(), Fault::Type { key, expected })
    }

    /// Says that a value stands at the top, where only tables do.
    fn no_table(&self, key: &Spanned<DeString<'_>>) -> ProfileError {
        let name = key.get_ref().clone().into_owned();
        let fault = if pattern::read(&name).is_some() {
            Fault::Table { name }
        } else if KEYS.contains(&name.as_str()) {
            Fault::Outside { key: name }
        } else {
            Fault::Key {
                nearest: near(&name, &KEYS),
                key: name,
            }
        };
        self.error(key.span(), fault)
    }

    /// Says that a table's name is none of a model, and which was probably meant: in `[a.b]`, which
    /// is one table in another, `a/b`; for a provider by itself, or with part of a name before a
    /// star, all its models.
    fn unknown_model(&self, key: &Spanned<DeString<'_>>, table: &DeTable<'_>) -> ProfileError {
        let name = key.get_ref().clone().into_owned();
        let nested = nested_name(table);
        let meant = match (nested.is_empty(), name.rsplit_once('/')) {
            (false, _) => format!("{name}/{nested}"),
            (true, Some((provider, _))) => format!("{provider}/*"),
            (true, None) => format!("{name}/*"),
        };
        let reads = pattern::read(&meant).is_some();
        let nearest = reads.then_some(meant);
        self.error(key.span(), Fault::Model { name, nearest })
    }

    fn error(&self, at: Range<usize>, fault: Fault) -> ProfileError {
        let before = self.text.as_bytes().iter().take(at.start);
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        ProfileError { line, fault }
    }
}

/// Lists a table in the order of the file.
fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Joins the names of tables that stand one in another, as `[a.b.c]` without quotes makes them.
fn nested_name(table: &DeTable<'_>) -> String {
    let mut name = String::new();
    let mut table = table;
    while let [(key, value)] = in_order(table).as_slice()
        && let DeValue::Table(inner) = value.get_ref()
    {
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(key.get_ref());
        table = inner;
    }
    name
}
