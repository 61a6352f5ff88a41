//! What the proxy knows of the server's tools, and how it came to know it.
//!
//! The client's own `tools/list` requests teach it nearly always. The proxy asks by itself only
//! when a call names a tool that it must know and does not: before any list was seen, after
//! `notifications/tools/list_changed`, or when the client left pages unread (then it goes on where
//! the client stopped). What it asks for, it keeps from the client.

use crate::json::{self, Span};
use crate::message::{self, Id};
use crate::options::Prepare;
use callmend::PreparedTool;
use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// How many pages the proxy asks for by itself before it gives a list up.
const MAX_PAGES: usize = 1000;
/// How many unfinished walks through the pages of a list are kept.
const MAX_WALKS: usize = 8;
/// How many unanswered `tools/list` requests are kept.
const MAX_OPEN: usize = 256;

pub(crate) struct Catalog {
    state: Mutex<State>,
    prepare: Prepare,
    /// Begins every id of the proxy's own requests.
    own: String,
}

#[derive(Default)]
struct State {
    tools: HashMap<String, Known>,
    /// Goes up with each `list_changed`; what was learned before is stale.
    generation: u64,
    /// The list of this generation was read to its end.
    whole: bool,
    /// Asking for the list of this generation failed.
    failed: bool,
    open: Vec<(Id, Listing)>,
    walks: VecDeque<Walk>,
    /// The proxy's own requests: all, and those of this generation.
    asked: u64,
    pages: usize,
}

struct Known {
    generation: u64,
    tool: Arc<Listed>,
}

/// One tool as the server lists it.
pub(crate) struct Listed {
    name: String,
    definition: Value,
    prepared: OnceLock<Option<PreparedTool>>,
}

/// A `tools/list` request that has no answer yet.
struct Listing {
    cursor: Option<String>,
    generation: u64,
}

/// The pages of a list read so far, up to a cursor.
struct Walk {
    cursor: String,
    names: HashSet<String>,
    generation: u64,
}

/// What the catalog says of a name.
pub(crate) enum Lookup {
    /// The server lists it.
    Listed(Arc<Listed>),
    /// The list was read to its end, and this is not there.
    Absent,
    /// The list must be asked for first.
    Unread,
    /// The list cannot be had.
    Unavailable,
}

/// Whose request a response answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    Neither,
    Client,
    Proxy,
}

impl Catalog {
    pub(crate) fn new(prepare: Prepare, session: &str) -> Self {
        Self {
            state: Mutex::default(),
            prepare,
            own: format!("callmend:tools/list:{session}:"),
        }
    }

    pub(crate) fn lookup(&self, name: &str) -> Lookup {
        let state = self.lock();
        match state.tools.get(name) {
            Some(known) if known.generation == state.generation => {
                Lookup::Listed(Arc::clone(&known.tool))
            }
            _ if state.whole => Lookup::Absent,
            _ if state.failed => Lookup::Unavailable,
            _ => Lookup::Unread,
        }
    }

    /// Returns the tool bound to the cascade; `None` when its schema cannot be compiled, which is
    /// told once.
    pub(crate) fn prepared<'t>(
        &self,
        tool: &'t Listed,
        tell: impl Fn(&str),
    ) -> Option<&'t PreparedTool> {
        let prepare = || match (self.prepare)(&tool.name, &tool.definition) {
            Ok(prepared) => Some(prepared),
            Err(why) => {
                tell(&format!("{why}; its calls pass through untouched"));
                None
            }
        };
        tool.prepared.get_or_init(prepare).as_ref()
    }

    /// Notes a `tools/list` request of the client.
    pub(crate) fn client_asks(&self, id: Id, line: &str, params: Option<Span>) {
        let cursor = params.and_then(|params| message::text_member(line, params, "cursor"));
        self.lock().open(id, cursor.map(Into::into));
    }

    /// Stops waiting for the answer to a request: its id is used for another.
    pub(crate) fn forget(&self, id: &Id) {
        self.lock().open.retain(|(open, _)| open != id);
    }

    /// Makes the request that the proxy needs next; `None` while one is under way.
    ///
    /// `meta` is the client's own protocol metadata, which revision 2026-07-28 asks for on every
    /// request.
    pub(crate) fn ask(&self, meta: Option<&str>) -> Option<String> {
        let mut state = self.lock();
        let generation = state.generation;
        if state
            .open
            .iter()
            .any(|(_, open)| open.generation == generation)
        {
            return None;
        }
        if state.pages >= MAX_PAGES {
            state.failed = true;
            return None;
        }
        state.pages += 1;
        state.asked += 1;
        let walks = state.walks.iter();
        let walk = walks.rev().find(|walk| walk.generation == generation);
        let cursor = walk.map(|walk| walk.cursor.clone());
        let id = format!("{}{}", self.own, state.asked);
        let mut params: Vec<String> = Vec::new();
        params.extend(
            cursor
                .iter()
                .map(|c| format!("\"cursor\":{}", json::quoted(c))),
        );
        params.extend(meta.map(|meta| format!("\"_meta\":{meta}")));
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\",\"params\":{{{}}}}}\n",
            json::quoted(&id),
            params.join(",")
        );
        state.open(Id::Text(id), cursor);
        Some(request)
    }

    /// Stops waiting for the list of this generation.
    pub(crate) fn give_up(&self) {
        self.lock().failed = true;
    }

    /// Marks everything as stale.
    pub(crate) fn changed(&self) {
        let mut state = self.lock();
        state.generation += 1;
        state.whole = false;
        state.failed = false;
        state.pages = 0;
        state.walks.clear();
    }

    /// Learns from a response, if it answers a `tools/list` request.
    pub(crate) fn answered(&self, id: &Id, line: &str, result: Option<Span>) -> Answered {
        let own = matches!(id, Id::Text(id) if id.starts_with(&self.own));
        let mut state = self.lock();
        let found = state.open.iter().position(|(open, _)| open == id);
        if let Some(at) = found {
            let (_, listing) = state.open.swap_remove(at);
            let page = result.and_then(|span| serde_json::from_str(line.get(span)?).ok());
            // An answer without a list says nothing about the tools.
            let page = page.filter(|page: &Value| page.get("tools").is_some_and(Value::is_array));
            match page {
                Some(page) => state.learn(listing, page),
                None if own && listing.generation == state.generation => state.failed = true,
                None => {}
            }
        }
        match (own, found) {
            (true, _) => Answered::Proxy,
            (false, Some(_)) => Answered::Client,
            (false, None) => Answered::Neither,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&mut self, id: Id, cursor: Option<String>) {
        if self.open.len() >= MAX_OPEN {
            self.open.remove(0);
        }
        let generation = self.generation;
        self.open.push((id, Listing { cursor, generation }));
    }

    fn learn(&mut self, listing: Listing, mut page: Value) {
        let mut names = match &listing.cursor {
            None => Some(HashSet::new()),
            Some(cursor) => self.walked(cursor, listing.generation),
        };
        let tools = page.get_mut("tools").and_then(Value::as_array_mut);
        for definition in tools.into_iter().flat_map(std::mem::take) {
            let Some(name) = definition.get("name").and_then(Value::as_str) else {
                continue;
            };
            let name = name.to_owned();
            if let Some(names) = &mut names {
                names.insert(name.clone());
            }
            self.list(name, definition, listing.generation);
        }
        if listing.generation != self.generation {
            return;
        }
        self.failed = false;
        let next = page.get("nextCursor").and_then(Value::as_str);
        match (next, names) {
            (Some(next), _) if Some(next) == listing.cursor.as_deref() => self.failed = true,
            (Some(next), Some(names)) => {
                if self.walks.len() >= MAX_WALKS {
                    self.walks.pop_front();
                }
                self.walks.push_back(Walk {
                    cursor: next.to_owned(),
                    names,
                    generation: listing.generation,
                });
            }
            (None, Some(names)) => {
                self.whole = true;
                self.walks.clear();
                self.tools.retain(|name, _| names.contains(name));
            }
            // A page from the middle of a walk that was not seen from its start.
            (_, None) => {}
        }
    }

    /// Takes the names read up to a cursor.
    fn walked(&mut self, cursor: &str, generation: u64) -> Option<HashSet<String>> {
        let fits = |walk: &Walk| walk.cursor == cursor && walk.generation == generation;
        let at = self.walks.iter().position(fits)?;
        self.walks.remove(at).map(|walk| walk.names)
    }

    fn list(&mut self, name: String, definition: Value, generation: u64) {
        let tool = match self.tools.get(&name) {
            Some(known) if known.generation > generation => return,
            // What was prepared stays prepared.
            Some(known) if known.tool.definition == definition => Arc::clone(&known.tool),
            _ => Arc::new(Listed {
                name: name.clone(),
                definition,
                prepared: OnceLock::new(),
            }),
        };
        self.tools.insert(name, Known { generation, tool });
    }
}
