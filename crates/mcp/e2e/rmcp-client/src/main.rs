//! Runs one session of the Rust SDK's client with the everything server: `callmend-rmcp-client
//! SERVER_COMMAND… [-- PROXY_COMMAND…]`, without the proxy and, where one is given, with it. Clean
//! calls must give the same; a damaged one is repaired, and one with two readings refused.

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use std::error::Error;
use std::process::Stdio;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (server, proxy) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (args[..at].to_vec(), args[at + 1..].to_vec()),
        None => (args, Vec::new()),
    };
    let direct = session(&server, false).await?;
    let mut command = proxy;
    command.push("--".to_owned());
    command.extend(server);
    let proxied = session(&command, true).await?;
    assert_eq!(direct, proxied);
    println!(
        "rmcp: {} steps are the same with and without the proxy",
        direct.len()
    );
    Ok(())
}

async fn session(command: &[String], damaged: bool) -> Result<Vec<Value>, Box<dyn Error>> {
    let (program, args) = command.split_first().ok_or("no command")?;
    let mut process = tokio::process::Command::new(program);
    process.args(args);
    let (transport, _) = TokioChildProcess::builder(process)
        .stderr(Stdio::null())
        .spawn()?;
    let client = ().serve(transport).await?;
    let mut seen = vec![serde_json::to_value(client.list_all_tools().await?)?];
    let call = |name: &'static str, arguments: Value| {
        let mut params = CallToolRequestParams::new(name);
        params.arguments = arguments.as_object().cloned();
        client.call_tool(params)
    };
    for (name, arguments) in [
        ("echo", json!({"message": "héllo"})),
        ("get-sum", json!({"a": 1, "b": 2})),
        ("get-structured-content", json!({"location": "New York"})),
        ("get-tiny-image", Value::Null),
        (
            "trigger-long-running-operation",
            json!({"duration": 0.1, "steps": 2}),
        ),
    ] {
        seen.push(serde_json::to_value(call(name, arguments).await?)?);
    }
    seen.push(serde_json::to_value(client.list_all_resources().await?)?);
    seen.push(serde_json::to_value(client.list_all_prompts().await?)?);
    if damaged {
        let repaired = call("echo", json!({"Message": "mended"})).await?;
        assert_eq!(text(&repaired)?, "Echo: mended");
        let meta = serde_json::to_value(&repaired.meta)?;
        assert_eq!(meta["callmend/edits"][0]["path"], "/message");
        let refused = call("echo", json!({"Message": "one", "MESSAGE": "two"})).await?;
        assert_eq!(refused.is_error, Some(true));
        assert!(text(&refused)?.ends_with("(echo takes message)"));
    }
    client.cancel().await?;
    Ok(seen)
}

fn text(result: &CallToolResult) -> Result<String, Box<dyn Error>> {
    let content = serde_json::to_value(&result.content)?;
    Ok(content[0]["text"].as_str().ok_or("no text")?.to_owned())
}
