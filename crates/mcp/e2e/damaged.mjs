// Damaged calls to the filesystem server: it receives the right file, or nothing at all.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SERVERS, connect, withFolder } from "./lib.mjs";

const TEXT = 'fn main() {\n    println!("é 💡 {{}}");\n}\n';
let tried = 0;

await withFolder(async (folder) => {
  const log = join(folder, "log.jsonl");
  const work = folder;
  const { client } = await connect(SERVERS.filesystem(work), { flags: ["--log", log] });
  await client.listTools();
  const call = (args, name = "write_file") => client.callTool({ name, arguments: args });
  const at = (name) => join(work, name);
  const close = "</" + "parameter>";
  const open = (name) => `<${"parameter"} name="${name}">`;

  const repaired = {
    renamed: (path) => ({ filepath: path, contents: TEXT }),
    respelled: (path) => ({ Path: path, CONTENT: TEXT }),
    stringified: (path) => JSON.stringify({ path, content: TEXT }),
    "stringified twice": (path) => JSON.stringify(JSON.stringify({ path, content: TEXT })),
    "stringified with a trailing comma": (path) =>
      JSON.stringify({ path, content: TEXT }).replace(/\}$/, ",}"),
    "leaked markup": (path) => ({ path: `${path}${close}\n${open("content")}${TEXT}` }),
  };
  for (const [kind, args] of Object.entries(repaired)) {
    const path = at(`${kind}.rs`);
    const result = await call(args(path));
    assert(!result.isError, `${kind}: ${JSON.stringify(result)}`);
    assert.equal(await readFile(path, "utf8"), TEXT, kind);
    assert(result._meta["callmend/edits"].length > 0, kind);
    assert(Array.isArray(result._meta["callmend/hints"]), kind);
    tried += 1;
  }

  const before = (await readdir(work)).length;
  const refused = {
    "two names for one argument": (path) => ({ filepath: path, file: path, content: TEXT }),
    "nothing to write": (path) => ({ path }),
    "a list for a text": (path) => ({ path, content: [TEXT] }),
    "cut off": (path) => JSON.stringify({ path, content: TEXT }).slice(0, -20),
    "nothing at all": () => undefined,
  };
  for (const [kind, args] of Object.entries(refused)) {
    const result = await call(args(at(`${kind}.rs`)));
    assert.equal(result.isError, true, kind);
    assert.equal(result.structuredContent, undefined, kind);
    assert.match(result.content[0].text, /write_file takes content, path/, kind);
    tried += 1;
  }
  assert.equal((await readdir(work)).length, before, "a refused call wrote a file");
  await client.close();

  const lines = (await readFile(log, "utf8")).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, tried, "one line per call");
  assert(!JSON.stringify(lines).includes("println"), "the log is masked");
});
console.log(`filesystem: ${tried} damaged calls were repaired to the byte or refused`);
