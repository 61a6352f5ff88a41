// The same clean session with and without the proxy must give the same results: requests,
// notifications, progress, cancellation, sampling, elicitation, roots, resources, prompts,
// completion and logging.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SERVERS, connect, settle, until, withFolder } from "./lib.mjs";

const scripts = { everything, filesystem, memory };
let steps = 0;

for (const [name, script] of Object.entries(scripts)) {
  const direct = await session(name, script, undefined);
  for (const flags of [[], ["--cascade", "extended"], ["--coach"]]) {
    const proxied = await session(name, script, flags);
    for (const [at, expected] of direct.entries()) {
      assert.deepEqual(proxied[at], expected, `${name} ${flags}: ${expected[0]}`);
    }
    assert.equal(proxied.length, direct.length);
  }
  steps += direct.length;
  console.log(`${name}: ${direct.length} steps are the same with and without the proxy`);
}
assert(steps > 60, "the sessions are too short to say much");

async function session(name, script, flags) {
  return withFolder(async (folder) => {
    const roots = [{ uri: pathToFileURL(folder).href, name: "work" }];
    const options = { flags, roots: name === "memory" ? [] : roots };
    const connected = await connect(SERVERS[name](folder), options);
    const transcript = [];
    const step = async (label, promise) => {
      // The folder's name and times differ from run to run.
      const text = JSON.stringify(await settle(promise))
        .replaceAll(folder, "FOLDER")
        .replace(/(created|modified|accessed): [^\\]*/g, "$1: TIME")
        .replace(/created at [\d:]+ [AP]M/g, "created at TIME");
      transcript.push([label, JSON.parse(text)]);
    };
    const { client } = connected;
    transcript.push(["server", client.getServerVersion(), client.getServerCapabilities()]);
    transcript.push(["instructions", client.getInstructions()]);
    await script({ ...connected, step, folder, transcript });
    await client.close();
    return transcript;
  });
}

async function everything({ client, step, seen, logged, transcript }) {
  const call = (name, args) => step(name, client.callTool({ name, arguments: args }));
  await step("ping", client.ping());
  await step("tools", client.listTools());
  await call("echo", { message: "hello\n\"world\" é 💡" });
  await call("echo", { message: "x".repeat(1_000_000) });
  await call("get-sum", { a: 1, b: 2.5 });
  await call("get-annotated-message", { messageType: "error", includeImage: true });
  await call("get-tiny-image", {});
  await step("no arguments", client.callTool({ name: "get-tiny-image" }));
  await call("get-structured-content", { location: "Chicago" });
  await call("get-resource-links", { count: 3 });
  await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
  await call("get-roots-list", {});
  await call("trigger-sampling-request", { prompt: "say", maxTokens: 10 });
  await call("trigger-elicitation-request", {});
  await step("unknown tool", client.callTool({ name: "no-such-tool", arguments: { a: 1 } }));
  await step("unknown method", client.request({ method: "no/such" }, anything()));

  const progress = [];
  const long = { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 4 } };
  await step("progress", client.callTool(long, undefined, { onprogress: (p) => progress.push(p) }));
  // The SDK drops a last notification that arrives together with the response.
  transcript.push(["progress seen", progress.slice(0, 3)]);

  const stop = new AbortController();
  const slow = { name: long.name, arguments: { duration: 20, steps: 200 } };
  const options = { signal: stop.signal, onprogress: () => stop.abort("enough") };
  await step("cancellation", client.callTool(slow, undefined, options));
  await call("echo", { message: "after the cancellation" });

  const many = Array.from({ length: 50 }, (_, n) =>
    settle(client.callTool({ name: "get-sum", arguments: { a: n, b: n } })));
  transcript.push(["at once", await Promise.all(many)]);

  await step("resources", client.listResources());
  await step("templates", client.listResourceTemplates());
  const { resources } = await client.listResources();
  await step("read", client.readResource({ uri: resources[0].uri }));
  await step("read nothing", client.readResource({ uri: "no://such/resource" }));
  await step("subscribe", client.subscribeResource({ uri: resources[0].uri }));
  await step("unsubscribe", client.unsubscribeResource({ uri: resources[0].uri }));

  await step("prompts", client.listPrompts());
  await step("simple prompt", client.getPrompt({ name: "simple-prompt" }));
  const args = { city: "Bern", state: "BE" };
  await step("prompt", client.getPrompt({ name: "args-prompt", arguments: args }));
  await step("completion", client.complete({
    ref: { type: "ref/prompt", name: "completable-prompt" },
    argument: { name: "department", value: "E" },
  }));

  await step("level", client.setLoggingLevel("debug"));
  logged.length = 0;
  await call("toggle-simulated-logging", {});
  await until("a log message", () => logged.length > 0);
  await call("toggle-simulated-logging", {});
  await step("roots changed", client.sendRootsListChanged());
  transcript.push(["seen", seen]);
}

async function filesystem({ client, step, folder }) {
  const call = (name, args) => step(name, client.callTool({ name, arguments: args }));
  const path = join(folder, "a.txt");
  await step("tools", client.listTools());
  await call("list_allowed_directories", {});
  await call("write_file", { path, content: "one\ntwo\nthree\n" });
  await call("read_text_file", { path });
  await call("read_text_file", { path, head: 2 });
  await call("edit_file", { path, edits: [{ oldText: "two", newText: "2" }], dryRun: true });
  await call("edit_file", { path, edits: [{ oldText: "two", newText: "2" }] });
  await call("create_directory", { path: join(folder, "sub") });
  await call("move_file", { source: path, destination: join(folder, "sub", "b.txt") });
  await call("read_multiple_files", { paths: [join(folder, "sub", "b.txt"), join(folder, "no")] });
  await call("list_directory", { path: folder });
  await call("directory_tree", { path: folder });
  await call("search_files", { path: folder, pattern: "**/*.txt" });
  await call("get_file_info", { path: join(folder, "sub", "b.txt") });
  await call("read_text_file", { path: "/etc/passwd" });
}

async function memory({ client, step }) {
  const call = (name, args) => step(name, client.callTool({ name, arguments: args }));
  await step("tools", client.listTools());
  await call("create_entities", {
    entities: [
      { name: "Ada", entityType: "person", observations: ["writes", "counts"] },
      { name: "Engine", entityType: "machine", observations: [] },
    ],
  });
  await call("create_relations", {
    relations: [{ from: "Ada", to: "Engine", relationType: "programs" }],
  });
  await call("add_observations", {
    observations: [{ entityName: "Engine", contents: ["brass"] }],
  });
  await call("search_nodes", { query: "brass" });
  await call("open_nodes", { names: ["Ada"] });
  await call("read_graph", {});
  await call("delete_entities", { entityNames: ["Ada"] });
  await call("read_graph", {});
}

function anything() {
  // The SDK asks for a schema of the result; this one takes everything.
  return { parse: (value) => value, safeParse: (data) => ({ success: true, data }) };
}
