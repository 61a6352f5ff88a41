//! Reads one call line.

use callmend::stage::message::{clip, nearest, tick};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

const KEYS: [&str; 4] = ["id", "tool", "arguments", "complete"];

/// One call, as its line has it.
#[derive(Debug)]
pub(crate) struct CallLine<'l> {
    pub(crate) id: Option<&'l RawValue>,
    pub(crate) tool: ToolRef<'l>,
    pub(crate) arguments: Arguments<'l>,
    pub(crate) complete: Option<bool>,
}

/// Which tool is called.
#[derive(Debug)]
pub(crate) enum ToolRef<'l> {
    Name(String),
    /// The tool's whole definition, raw.
    Inline(&'l str),
}

/// The arguments as they were delivered.
#[derive(Debug)]
pub(crate) enum Arguments<'l> {
    Nothing,
    /// Text, decoded from its JSON string; a lone surrogate is kept, so that it is seen.
    Text(Vec<u8>),
    /// A value, raw.
    Value(&'l str),
}

/// What is wrong with a line, and the id that it has all the same.
#[derive(Debug)]
pub(crate) struct Invalid<'l> {
    pub(crate) id: Option<&'l RawValue>,
    pub(crate) error: String,
}

impl<'l> CallLine<'l> {
    /// Reads a line; keys that it does not know are left alone, unless they look misspelled.
    pub(crate) fn read(line: &'l [u8]) -> Result<Self, Invalid<'l>> {
        let bad = |error| Invalid { id: None, error };
        let text = std::str::from_utf8(line)
            .map_err(|error| bad(format!("not UTF-8 at byte {}", error.valid_up_to() + 1)))?;
        let Members(members) = serde_json::from_str(text).map_err(|error| bad(worded(&error)))?;
        let id = members.iter().find(|(key, _)| key == "id").map(|(_, v)| *v);
        Self::from_members(&members).map_err(|error| Invalid { id, error })
    }

    fn from_members(members: &[(String, &'l RawValue)]) -> Result<Self, String> {
        let mut found: [Option<&'l RawValue>; 4] = [None; 4];
        for (key, value) in members {
            let place = KEYS.iter().zip(&mut found).find(|(known, _)| *known == key);
            if let Some((_, place)) = place
                && place.replace(value).is_some()
            {
                return Err(format!("{} is given twice", tick(key)));
            }
        }
        let absent = KEYS.iter().zip(&found).filter(|(_, v)| v.is_none());
        let absent: Vec<&str> = absent.map(|(key, _)| *key).collect();
        for (key, _) in members
            .iter()
            .filter(|(key, _)| !KEYS.contains(&key.as_str()))
        {
            if let Some(near) = nearest(key, absent.iter().copied()) {
                return Err(format!("unknown key {}; did you mean `{near}`?", tick(key)));
            }
        }
        let [id, tool, arguments, complete] = found;
        Ok(Self {
            id,
            tool: read_tool(tool)?,
            arguments: read_arguments(arguments)?,
            complete: read_complete(complete)?,
        })
    }
}

fn read_tool(raw: Option<&RawValue>) -> Result<ToolRef<'_>, String> {
    let text = raw.map(RawValue::get).ok_or("a call must have a `tool`")?;
    if text.starts_with('{') {
        return Ok(ToolRef::Inline(text));
    }
    let name: Option<String> = serde_json::from_str(text).ok();
    name.map(ToolRef::Name)
        .ok_or_else(|| "`tool` must be a tool's name or its definition".to_owned())
}

fn read_arguments(raw: Option<&RawValue>) -> Result<Arguments<'_>, String> {
    let Some(text) = raw.map(RawValue::get) else {
        return Ok(Arguments::Nothing);
    };
    if !text.starts_with('"') {
        return Ok(Arguments::Value(text));
    }
    let Text(bytes) = serde_json::from_str(text).map_err(|error| worded(&error))?;
    Ok(Arguments::Text(bytes))
}

fn read_complete(raw: Option<&RawValue>) -> Result<Option<bool>, String> {
    match raw.map(RawValue::get) {
        None | Some("null") => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err("`complete` must be true or false".to_owned()),
    }
}

/// Words a syntax error; the line is always the first, so only the column is told.
fn worded(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let what = whole.rsplit_once(" at line ").map_or(&*whole, |(w, _)| w);
    match error.classify() {
        serde_json::error::Category::Data => clip(what),
        _ => format!("not JSON: {} at column {}", clip(what), error.column()),
    }
}

/// The members of an object, in order, raw.
struct Members<'l>(Vec<(String, &'l RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a call, {"tool": ..., "arguments": ...}"#)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// A JSON string as bytes: serde_json decodes a lone surrogate only so.
struct Text(Vec<u8>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Text(bytes.to_vec()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(text.as_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &[u8]) -> String {
        CallLine::read(line).unwrap_err().error
    }

    #[test]
    fn a_string_is_text_and_any_other_value_is_raw() {
        let call = CallLine::read(br#"{"tool": "t", "arguments": "{\"a\": 1}"}"#).unwrap();
        assert!(matches!(call.arguments, Arguments::Text(text) if text == br#"{"a": 1}"#));
        let call = CallLine::read(br#"{"tool": "t", "arguments": {"a": 1, "a": 2}}"#).unwrap();
        assert!(matches!(
            call.arguments,
            Arguments::Value(r#"{"a": 1, "a": 2}"#)
        ));
        let call = CallLine::read(br#"{"tool": "t"}"#).unwrap();
        assert!(matches!(call.arguments, Arguments::Nothing));
    }

    #[test]
    fn a_lone_surrogate_in_text_is_kept_to_be_refused_by_the_parser() {
        let call = CallLine::read(br#"{"tool": "t", "arguments": "\ud800"}"#).unwrap();
        assert!(
            matches!(call.arguments, Arguments::Text(text) if std::str::from_utf8(&text).is_err())
        );
    }

    #[test]
    fn what_is_no_call_is_said_in_one_line() {
        assert_eq!(
            error(b"[]"),
            "invalid type: sequence, expected a call, {\"tool\": ..., \"arguments\": ...}"
        );
        assert_eq!(
            error(b"{\"tool\": "),
            "not JSON: EOF while parsing a value at column 9"
        );
        assert_eq!(error(b"\xff"), "not UTF-8 at byte 1");
        assert_eq!(error(b"{}"), "a call must have a `tool`");
        assert_eq!(
            error(br#"{"tool": 5}"#),
            "`tool` must be a tool's name or its definition"
        );
        assert_eq!(
            error(br#"{"tool": "t", "complete": 1}"#),
            "`complete` must be true or false"
        );
        assert_eq!(
            error(br#"{"tool": "t", "tool": "u"}"#),
            "`tool` is given twice"
        );
    }

    #[test]
    fn a_misspelled_key_is_told_and_a_foreign_one_is_left_alone() {
        assert_eq!(
            error(br#"{"tool": "t", "argument": {}}"#),
            "unknown key `argument`; did you mean `arguments`?"
        );
        assert!(CallLine::read(br#"{"tool": "t", "note": "x"}"#).is_ok());
    }

    #[test]
    fn an_invalid_line_keeps_its_id() {
        let invalid = CallLine::read(br#"{"id": [7]}"#).unwrap_err();
        assert_eq!(invalid.id.unwrap().get(), "[7]");
    }
}
