//! Operators with call markup and with what only looks like damage.

use super::Op;
use super::base::{Base, Type};
use super::mutant::{Class, Classes, Mutant, as_sent_in_standard, both};
use super::uses::VALUES;
use crate::measure::rng::Rng;
use serde_json::{Value, json};

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::value("markup: one argument leaked", VALUES, leak_one),
        Op::value("markup: a chain leaked", VALUES, leak_chain),
        Op::value("markup: a typed argument leaked", VALUES, leak_typed),
        Op::value("markup: leaked twice", VALUES, leak_conflict),
        Op::value("markup: unknown name leaked", VALUES, leak_unknown),
        Op::value("markup: prefixed", VALUES, leak_prefixed),
        Op::value("markup: shorthand", VALUES, leak_shorthand),
        Op::value("markup: closers at the end", VALUES, tail_closers),
        Op::value("markup: own closer at the end", VALUES, own_closer),
        Op::value(
            "markup: closer after a line end",
            VALUES,
            tail_after_line_end,
        ),
        Op::value("markup: balanced, as data", VALUES, balanced),
        Op::value("markup: a closer in running text", VALUES, closer_in_text),
        Op::value("data: what looks like damage", VALUES, nasty),
        Op::value("data: paths and addresses", VALUES, paths),
        Op::value("data: nasty strings in a list", VALUES, nasty_list),
    ]
}

/// Picks a string argument that takes any text and may hold some.
fn string_key(base: &Base, mutant: &Mutant, rng: &mut Rng) -> Option<String> {
    let keys = base.keys(&mutant.args, |at, value| {
        value.is_string() && base.is_plain() && base.takes_any_string(at)
    });
    rng.pick(&keys).cloned()
}

/// Picks two string arguments: the one that leaks and the one that is leaked into it.
fn pair(base: &Base, mutant: &Mutant, rng: &mut Rng) -> Option<(String, String, String, String)> {
    let host = string_key(base, mutant, rng)?;
    let keys = base.keys(&mutant.args, |at, value| {
        value.is_string()
            && base
                .kind(at)
                .is_some_and(|(kind, nullable)| kind == Type::String && !nullable)
    });
    let others: Vec<&String> = keys.iter().filter(|key| **key != host).collect();
    let leaked = (*rng.pick(&others)?).clone();
    let (head, tail) = (text(mutant, &host)?, text(mutant, &leaked)?);
    let plain = |text: &str| !text.is_empty() && !text.contains('<') && text.trim() == text;
    (plain(&head) && plain(&tail)).then_some((host, leaked, head, tail))
}

fn text(mutant: &Mutant, key: &str) -> Option<String> {
    mutant.args.get(key)?.as_str().map(str::to_owned)
}

fn at(key: &str) -> String {
    callmend_stage::pointer::to(key)
}

/// Sends `value` as `host`, without the leaked argument, which both cascades read apart.
fn leak(mutant: &mut Mutant, host: &str, leaked: &[&str], value: &str) -> Option<()> {
    let reads = mutant.reads.clone();
    mutant.send(&at(host), &json!(value))?;
    for key in leaked {
        mutant.leave_out(key)?;
    }
    mutant.reads = reads;
    Some(())
}

/// As [`leak`], when the standard cascade leaves the value as sent.
fn leak_as_sent(mutant: &mut Mutant, host: &str, leaked: &[&str], value: &str) -> Option<()> {
    mutant.send(&at(host), &json!(value))?;
    for key in leaked {
        mutant.leave_out(key)?;
    }
    Some(())
}

fn between(rng: &mut Rng) -> &'static str {
    ["", "\n", " ", "\n  "]
        .get(rng.below(4))
        .copied()
        .unwrap_or("")
}

fn leak_one(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, leaked, head, tail) = pair(base, mutant, rng)?;
    let gap = between(rng);
    let value = format!("{head}</parameter>{gap}<parameter name=\"{leaked}\">{tail}");
    leak(mutant, &host, &[&leaked], &value)?;
    Some(both(Class::One))
}

fn leak_chain(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, leaked, head, tail) = pair(base, mutant, rng)?;
    let keys = base.keys(&mutant.args, |at, value| {
        value.is_string()
            && base
                .kind(at)
                .is_some_and(|(kind, nullable)| kind == Type::String && !nullable)
    });
    let third = keys
        .iter()
        .find(|key| **key != host && **key != leaked)?
        .clone();
    let last = text(mutant, &third)?;
    if last.is_empty() || last.contains('<') || last.trim() != last {
        return None;
    }
    let value = format!(
        "{head}</parameter>\n<parameter name=\"{leaked}\">{tail}</parameter>\n<parameter name=\"{third}\">{last}"
    );
    leak(mutant, &host, &[&leaked, &third], &value)?;
    Some(both(Class::One))
}

fn leak_typed(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let keys = base.keys(&mutant.args, |at, value| {
        let scalar = value.is_boolean() || value.is_i64() || value.is_u64() || value.is_object();
        scalar
            && base
                .kind(at)
                .is_some_and(|(kind, nullable)| !nullable && kind != Type::String)
    });
    let leaked = rng.pick(&keys)?.clone();
    let head = text(mutant, &host)?;
    let part = mutant.args.get(&leaked)?.to_string();
    if head.is_empty() || head.contains('<') || head.trim() != head || part.contains('<') {
        return None;
    }
    let value = format!("{head}</parameter>\n<parameter name=\"{leaked}\">{part}");
    leak(mutant, &host, &[&leaked], &value)?;
    Some(both(Class::One))
}

fn leak_conflict(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, leaked, head, tail) = pair(base, mutant, rng)?;
    let value = format!("{head}</parameter>\n<parameter name=\"{leaked}\">{tail} 2");
    leak_as_sent(mutant, &host, &[], &value)?;
    mutant.touch(&leaked);
    Some(as_sent_in_standard(Class::Refuse))
}

fn leak_unknown(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, _, head, tail) = pair(base, mutant, rng)?;
    if !base.is_free_name("zz_note") {
        return None;
    }
    let value = format!("{head}</parameter>\n<parameter name=\"zz_note\">{tail}");
    leak_as_sent(mutant, &host, &[], &value)?;
    Some(as_sent_in_standard(Class::Refuse))
}

/// Which class a call has in the standard cascade that is sent without an argument it needs.
fn without_in_standard(base: &Base, mutant: &Mutant, class: Class) -> Classes {
    let accepted = base.prepared.accepts(&Value::Object(mutant.reads.clone()));
    Classes {
        standard: if accepted {
            Class::Untouched
        } else {
            Class::Refuse
        },
        extended: class,
    }
}

fn leak_prefixed(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, leaked, head, tail) = pair(base, mutant, rng)?;
    let prefix = *rng.pick(&["ns:", "x:", "｜｜DSML｜｜"])?;
    let value = format!("{head}</{prefix}parameter>\n<{prefix}parameter name=\"{leaked}\">{tail}");
    leak_as_sent(mutant, &host, &[&leaked], &value)?;
    Some(without_in_standard(base, mutant, Class::One))
}

fn leak_shorthand(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (host, leaked, head, tail) = pair(base, mutant, rng)?;
    let value = format!("{head}\n</parameter>\n<parameter={leaked}>\n{tail}");
    leak_as_sent(mutant, &host, &[&leaked], &value)?;
    Some(without_in_standard(base, mutant, Class::One))
}

fn tail_closers(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let head = text(mutant, &host)?;
    if head.trim() != head || head.is_empty() || head.contains('<') {
        return None;
    }
    let end = *rng.pick(&[
        "</parameter>\n</invoke>",
        "</parameter></invoke>\n",
        "</parameter>\n</invoke>\n</function_calls>",
    ])?;
    mutant.send(&at(&host), &json!(format!("{head}{end}")))?;
    Some(as_sent_in_standard(Class::One))
}

fn own_closer(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let head = text(mutant, &host)?;
    // A name with an underscore is no element of HTML, SVG or MathML.
    if head.trim() != head
        || head.is_empty()
        || head.contains('<')
        || !host.contains('_')
        || host.contains(['.', ' ', '/'])
    {
        return None;
    }
    mutant.touch(&host);
    mutant
        .meant
        .insert(host.clone(), json!(format!("{head}\n")));
    if !base.prepared.accepts(&Value::Object(mutant.meant.clone())) {
        return None;
    }
    let end = *rng.pick(&["", "\n", "\n</invoke>", "\n</invoke>\n"])?;
    mutant.send(&at(&host), &json!(format!("{head}\n</{host}>{end}")))?;
    Some(as_sent_in_standard(Class::One))
}

fn tail_after_line_end(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let head = text(mutant, &host)?;
    if head.is_empty() || head.contains('<') {
        return None;
    }
    mutant.send(
        &at(&host),
        &json!(format!("{head}\n</parameter>\n</invoke>")),
    )?;
    Some(as_sent_in_standard(Class::Refuse))
}

fn balanced(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let value = *rng.pick(&[
        "<parameter name=\"a\">b</parameter>",
        "Write <parameter name=\"path\">a.txt</parameter> and then <parameter name=\"content\">x</parameter>.",
        "CASE = '<parameter=name>bob</parameter>'\nprint(CASE)",
        "<invoke name=\"t\">\n<parameter name=\"k\">v</parameter>\n</invoke>",
        "<div class=\"a\">ok</div>\n<p>it's</p>\n",
        "<tool_call>{\"name\": \"x\"}</tool_call>",
        "<svg><title>t</title></svg>",
    ])?;
    mutant.mean(&at(&host), &json!(value))?;
    Some(both(Class::Untouched))
}

fn closer_in_text(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let value = *rng.pick(&[
        "The closing tag </parameter> ends an argument.",
        "split(\"</parameter>\") gives two parts",
        "use </content> to close it, not </body>.",
        "a < b && c > d </ b",
        "</p> on its own is not valid HTML, say the docs",
    ])?;
    mutant.mean(&at(&host), &json!(value))?;
    Some(both(Class::Untouched))
}

/// Strings that a careless repairer changes.
const NASTY: [&str; 34] = [
    "it's today's news",
    "{\"k\": [1, 2]}",
    "[1, 2, 3]",
    "{'a': 1}",
    "true",
    "None",
    "null",
    "42",
    "007",
    "1e5",
    "NaN",
    "a}{b",
    "mkdir -p out/{a1,b2",
    "x, y,",
    "// not a comment",
    "# heading",
    "/* neither */",
    "say \"hi\", she said",
    "back\\slash\\n",
    "C:\\temp\\new",
    "tab\there\nand\r\nthere",
    "“curly” and ‘single’",
    "`code` and ```fence```",
    "```json\n{\"a\": 1}\n```",
    "\\title{T}\\newline\\textbf{x}",
    " leading and trailing ",
    "",
    "\u{feff}mark",
    "null\u{0}byte",
    "😀 \u{2028} \u{a0}",
    "{{ template }} and {% tag %}",
    "\"quoted whole\"",
    "'single whole'",
    "arguments were cut off",
];

fn nasty(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |at, value| {
        value.is_string() && base.is_plain() && base.takes_any_string(at)
    });
    let host = rng.pick(&keys)?.clone();
    let value = *rng.pick(&NASTY)?;
    mutant.mean(&at(&host), &json!(value))?;
    Some(both(Class::Untouched))
}

fn paths(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let host = string_key(base, mutant, rng)?;
    let value = *rng.pick(&[
        "https:/example.org/a",
        ":src/main.rs",
        "@/etc/hosts",
        "~/notes.md",
        "file:///tmp/a%20b",
        "a\u{202f}b.png",
        "\\\\server\\share",
        "src\\main.rs",
    ])?;
    mutant.mean(&at(&host), &json!(value))?;
    Some(both(Class::Untouched))
}

fn nasty_list(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |at, value| {
        value.as_array().is_some_and(|list| !list.is_empty())
            && base.is_plain()
            && base.is_string_list(at)
            && base.takes_any_string(&format!("{at}/0"))
    });
    let host = rng.pick(&keys)?.clone();
    let value = *rng.pick(&NASTY)?;
    mutant.mean(&format!("{}/0", at(&host)), &json!(value))?;
    if !base.prepared.accepts(&Value::Object(mutant.args.clone())) {
        return None;
    }
    Some(both(Class::Untouched))
}
