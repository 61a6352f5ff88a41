//! Tools and calls of the project's own: what the sets of valid calls have too little of.

use super::super::rng::Rng;
use serde_json::{Value, json};

/// Lists tools, each with calls that are right as they are.
pub(crate) fn calls() -> Vec<(&'static str, Value, Value)> {
    let write = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"}, "content": {"type": "string"},
            "overwrite": {"type": "boolean"}, "mode": {"type": "integer", "minimum": 0, "maximum": 511}
        },
        "required": ["path", "content"], "additionalProperties": false
    });
    let edit = json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string"},
            "edits": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "old_text": {"type": "string"}, "new_text": {"type": "string"},
                    "replace_all": {"type": "boolean"}
                },
                "required": ["old_text", "new_text"], "additionalProperties": false
            }},
            "dry": {"type": "boolean"}
        },
        "required": ["file_path", "edits"], "additionalProperties": false
    });
    let search = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "min_score": {"type": "number"}, "paths": {"type": "array", "items": {"type": "string"}},
            "order": {"type": "string", "enum": ["newest", "oldest", "best"]},
            "filter": {
                "type": "object",
                "properties": {"language": {"type": "string"}, "max_size": {"type": "integer"}, "hidden": {"type": "boolean"}},
                "additionalProperties": false
            }
        },
        "required": ["query"], "additionalProperties": false
    });
    let run = json!({
        "type": "object",
        "properties": {
            "command": {"type": "string"}, "args": {"type": "array", "items": {"type": "string"}},
            "env": {"type": "object", "additionalProperties": {"type": "string"}},
            "timeout": {"type": "number"}, "background": {"type": "boolean"},
            "ports": {"type": "array", "items": {"type": "integer"}}
        },
        "required": ["command"]
    });
    let now = json!({
        "type": "object", "properties": {"time_zone": {"type": "string"}, "utc": {"type": "boolean"}},
        "additionalProperties": false
    });
    let code = "fn main() {\n\tlet re = Regex::new(\"\\\\d+\\\\s*\").unwrap();\n    println!(\"it's {}\", re);\n}\n";
    vec![
        (
            "write_file",
            write.clone(),
            json!({"path": "src/main.rs", "content": code}),
        ),
        (
            "write_file",
            write.clone(),
            json!({"path": "notes.md", "content": "# Plan\n\n- step one", "overwrite": true}),
        ),
        (
            "write_file",
            write,
            json!({"path": "a.txt", "content": "plain words", "overwrite": false, "mode": 420}),
        ),
        (
            "edit_file",
            edit.clone(),
            json!({"file_path": "lib.rs", "edits": [{"old_text": "a", "new_text": "b"}]}),
        ),
        (
            "edit_file",
            edit,
            json!({"file_path": "x/y.py", "edits": [
                {"old_text": "x = 1\n", "new_text": "x = 2\n", "replace_all": true},
                {"old_text": "say(\"hi\")", "new_text": "say('ho')"}
            ], "dry": false}),
        ),
        (
            "search",
            search.clone(),
            json!({"query": "lenient parser", "limit": 10, "order": "best"}),
        ),
        (
            "search",
            search.clone(),
            json!({"query": "one reading", "paths": ["src"], "min_score": 0.5}),
        ),
        (
            "search",
            search,
            json!({"query": "find me", "paths": ["src", "docs"], "filter": {"language": "Rust", "max_size": 4096, "hidden": false}}),
        ),
        (
            "run",
            run.clone(),
            json!({"command": "cargo test", "args": ["--all"], "timeout": 2.5, "background": true}),
        ),
        (
            "run",
            run,
            json!({"command": "serve", "env": {"LANG": "C", "HOME": "/root"}, "ports": [80, 443]}),
        ),
        ("now", now.clone(), json!({"time_zone": "Europe/Vienna"})),
        ("now", now, json!({"utc": true})),
    ]
}

/// Makes a call whose content is a file of code of about this many bytes.
pub(crate) fn with_code(rng: &mut Rng, bytes: usize) -> (&'static str, Value, Value) {
    let (name, schema, _) = calls().swap_remove(0);
    let arguments =
        json!({"path": "src/generated.ts", "content": code(rng, bytes), "overwrite": true});
    (name, schema, arguments)
}

const LINES: [&str; 16] = [
    "export function handle(request: Request): Response {",
    "  const url = new URL(\"https://example.org/?q=\" + encodeURIComponent(query));",
    "\tif (!/^\\d{3}-\\w+$/.test(value)) throw new Error(`bad value: ${value}`);",
    "    return { \"status\": 200, 'kind': \"ok\", items: [1, 2, 3,] };",
    "  // it's a comment, with \"quotes\" and {braces}",
    "  /* a block */ const path = \"C:\\\\temp\\\\new\";",
    "def f(x: str) -> str:\n    \"\"\"A docstring.\"\"\"\n    return x.replace('\\n', \"\\r\\n\")",
    "<div className=\"a\">{items.map((item) => <Item key={item.id} />)}</div>",
    "SELECT \"a\", 'b' FROM t WHERE x = 'it''s' -- why",
    "print(f\"{name!r}: {value:>10}\")",
    "# naïve café — 日本語 😀",
    "",
    "}",
    "let s = r#\"raw \"string\"\"#;",
    "printf(\"%s\\t%d\\n\", name, 0x1F);",
    "const t = true, n = null, u = undefined;",
];

fn code(rng: &mut Rng, bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 100);
    while out.len() < bytes {
        out.push_str(rng.pick(&LINES).copied().unwrap_or_default());
        out.push('\n');
    }
    out.push_str("end");
    out
}
