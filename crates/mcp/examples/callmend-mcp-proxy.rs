//! A proxy of your own in a few lines: `callmend-mcp-proxy [OPTIONS] -- COMMAND ARGS…`.
//!
//! The options are those of `callmend mcp`, without the help. The tests of this crate run it.

use callmend::{Closure, Pipeline};
use callmend_mcp::{ProxyOptions, run};
use std::time::Duration;

type Setting = Box<dyn Fn(&mut ProxyOptions)>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args();
    let mut pipeline = Pipeline::standard()?;
    let mut closure = None;
    let mut set: Vec<Setting> = Vec::new();
    while let Some(arg) = args.next().filter(|arg| arg != "--") {
        match arg.as_str() {
            "--cascade" if args.next().as_deref() == Some("extended") => {
                pipeline = Pipeline::extended()?;
            }
            "--synthesized" => closure = Some(Closure::Synthesized),
            "--coach" => set.push(Box::new(|options| options.coach = true)),
            "--log-values" => set.push(Box::new(|options| options.log_values = true)),
            "--log" => {
                let path = args.next().ok_or("--log takes a file")?;
                set.push(Box::new(move |options| {
                    options.log = Some(path.clone().into())
                }));
            }
            "--max-line" => {
                let bytes = args.next().ok_or("--max-line takes a number")?.parse()?;
                set.push(Box::new(move |options| options.max_line = bytes));
            }
            "--grace-ms" | "--list-wait-ms" => {
                let ms = args.next().ok_or("a number is missing")?.parse()?;
                let time = Duration::from_millis(ms);
                let grace = arg == "--grace-ms";
                set.push(Box::new(move |options| match grace {
                    true => options.grace = time,
                    false => options.list_wait = time,
                }));
            }
            // The program's own name.
            _ => {}
        }
    }
    let program = args.next().ok_or("a command must follow `--`")?;
    let mut options = ProxyOptions::new(pipeline.clone(), program, args);
    if let Some(closure) = closure {
        options = options.with_closure(pipeline, closure);
    }
    for set in set {
        set(&mut options);
    }
    std::process::exit(run(options)?);
}
