#!/bin/sh
# Runs the proxy between the official SDK's client and the reference servers, and the Rust SDK's.
#
# PROXY  the proxy's command, such as `callmend mcp`; without it, this crate's example is built.
set -eu
cd "$(dirname "$0")"

if [ -z "${PROXY:-}" ]; then
    cargo build --quiet --release --package callmend-mcp --example callmend-mcp-proxy
    target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    PROXY="$target/release/examples/callmend-mcp-proxy"
fi
export PROXY

npm ci --no-audit --no-fund --silent
node sessions.mjs
node damaged.mjs
node latency.mjs
# shellcheck disable=SC2086 # PROXY is a command with its arguments.
cargo run --quiet --manifest-path rmcp-client/Cargo.toml -- \
    node node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio -- $PROXY

left=$(pgrep -f "$(pwd)/node_modules/@modelcontextprotocol/server-" || true)
if [ -n "$left" ]; then
    echo "servers were left behind: $left" >&2
    exit 1
fi
