// What every script shares: servers, clients with every capability, and the proxy in between.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const installed = (name) => here(`node_modules/@modelcontextprotocol/${name}/dist/index.js`);

export const SERVERS = {
  everything: () => ({ args: [installed("server-everything"), "stdio"] }),
  filesystem: (folder) => ({ args: [installed("server-filesystem"), folder] }),
  memory: (folder) => ({
    args: [installed("server-memory")],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
  }),
};

// The proxy's command: `PROXY='callmend mcp'`, or the example of this crate.
const PROXY = (process.env.PROXY ?? "").split(" ").filter(Boolean);
if (PROXY.length === 0) {
  throw new Error("set PROXY to the proxy's command; run.sh does");
}

/** Connects a client that can do everything; `flags` is undefined for no proxy at all. */
export async function connect({ args, env = {} }, { flags, roots = [] } = {}) {
  const command = [process.execPath, ...args];
  const all = flags === undefined ? command : [...PROXY, ...flags, "--", ...command];
  const transport = new StdioClientTransport({
    command: all[0],
    args: all.slice(1),
    env: { ...env, PATH: process.env.PATH },
    stderr: process.env.STDERR ?? "ignore",
  });
  const client = new Client(
    { name: "callmend-e2e", version: "1.0.0" },
    { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } },
  );
  const seen = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    seen.push(["sampling", params]);
    return { role: "assistant", model: "none", content: { type: "text", text: "sampled" } };
  });
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept",
    content: { name: "Ada", check: true },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  const logged = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push(params);
  });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    seen.push(["updated", params.uri]);
  });
  await client.connect(transport);
  return { client, transport, seen, logged };
}

export async function withFolder(run) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "callmend-e2e-")));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a request gave, its errors included, as plain data. */
export async function settle(promise) {
  try {
    return { result: JSON.parse(JSON.stringify((await promise) ?? null)) };
  } catch (error) {
    return { error: { name: error.name, code: error.code, message: error.message } };
  }
}

export async function until(what, check) {
  for (let tries = 0; tries < 1000; tries += 1) {
    const found = check();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain for ${what}`);
}
