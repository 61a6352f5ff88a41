// How much the proxy adds to a `tools/call` of the everything server, at the median, measured in
// turns within one run.

import assert from "node:assert/strict";
import { SERVERS, connect } from "./lib.mjs";

const ROUNDS = 20;
const CALLS = 100;

const direct = await connect(SERVERS.everything());
const proxied = await connect(SERVERS.everything(), { flags: [] });
const times = new Map([[direct, []], [proxied, []]]);
for (const { client } of times.keys()) {
  await client.listTools();
  for (let n = 0; n < 300; n += 1) await call(client);
}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [{ client }, taken] of times) {
    for (let n = 0; n < CALLS; n += 1) {
      const start = process.hrtime.bigint();
      await call(client);
      taken.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
}
for (const { client } of times.keys()) await client.close();

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const without = median(times.get(direct));
const withProxy = median(times.get(proxied));
const added = withProxy - without;
const ms = (value) => value.toFixed(3);
console.log(
  `everything: median tools/call ${ms(without)} ms without the proxy, ${ms(withProxy)} ms with it: ` +
    `${ms(added)} ms added (${ROUNDS * CALLS} calls each)`,
);
assert(added < 1, "the proxy adds 1 ms or more");

function call(client) {
  return client.callTool({ name: "echo", arguments: { message: "hello" } });
}
