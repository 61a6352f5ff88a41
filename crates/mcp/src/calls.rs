//! Decides what becomes of each message: the part of the proxy that touches no stream.

use crate::annotate::{self, Manner, Note, Splice};
use crate::catalog::{Answered, Catalog, Listed, Lookup};
use crate::json::{self, Span};
use crate::log::Log;
use crate::message::{self, Call, Id, Message, Shape};
use crate::options::Refuse;
use callmend::{Code, Delivered, Draft, Outcome, Rejection, Status};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many repaired calls may wait for their results, and how much memory their notes may take.
/// Beyond that the oldest results go to the client without their notes.
const MAX_NOTES: usize = 4096;
const MAX_NOTE_BYTES: usize = 64 * 1024 * 1024;

/// The session's calls, shared by both directions.
pub(crate) struct Calls {
    pub(crate) catalog: Catalog,
    refuse: Refuse,
    log: Option<Log>,
    coach: bool,
    notes: Mutex<Vec<(Id, Note)>>,
    tell: fn(&str),
    /// That the log cannot be written has been told.
    complained: AtomicBool,
}

/// What becomes of a line from the client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FromClient {
    /// Goes on as it is.
    Pass,
    /// A changed line goes to the server (none if there is nothing left of it), and the proxy's
    /// own answer to the client.
    Changed {
        forward: Option<String>,
        answer: Option<String>,
    },
    /// Waits for the server's list of tools; `meta` is what the proxy's request for it must carry.
    Wait { meta: Option<String> },
}

/// What becomes of a line from the server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FromServer {
    /// Goes on, as it is or with a note.
    Pass(Option<String>),
    /// Answers the proxy, and the client never sees it.
    Keep,
}

/// What a message from the server is.
enum Seen {
    /// The answer to the proxy's own request.
    Own,
    /// The answer to a `tools/list` request of the client.
    List,
    /// Something else, with what changes in it.
    Other(Vec<Splice>),
}

/// What becomes of one call.
enum Fate {
    Pass,
    Repaired(Splice),
    Refused(String),
}

impl Calls {
    pub(crate) fn new(
        catalog: Catalog,
        refuse: Refuse,
        log: Option<Log>,
        coach: bool,
        tell: fn(&str),
    ) -> Self {
        Self {
            catalog,
            refuse,
            log,
            coach,
            notes: Mutex::default(),
            tell,
            complained: AtomicBool::new(false),
        }
    }

    /// Decides about a line from the client.
    ///
    /// Nothing has been noted or logged when the answer is [`FromClient::Wait`]: the same line is
    /// to be given again.
    pub(crate) fn client_line(&self, line: &str) -> FromClient {
        match message::read(line) {
            None => FromClient::Pass,
            Some(Shape::One(message)) => self.one(line, &message),
            Some(Shape::Batch(elements)) => self.batch(line, &elements),
        }
    }

    /// Decides about a line from the server; says too whether a list of tools was in it.
    pub(crate) fn server_line(&self, line: &str) -> (FromServer, bool) {
        let mut learned = false;
        let mut look = |message: &Message<'_>| {
            let seen = self.message_from_server(line, message);
            learned |= matches!(seen, Seen::List | Seen::Own);
            seen
        };
        let fate = match message::read(line) {
            None => FromServer::Pass(None),
            Some(Shape::One(message)) => match look(&message) {
                Seen::Own => FromServer::Keep,
                Seen::List => FromServer::Pass(None),
                Seen::Other(splices) if splices.is_empty() => FromServer::Pass(None),
                Seen::Other(splices) => FromServer::Pass(Some(annotate::spliced(line, splices))),
            },
            Some(Shape::Batch(elements)) => {
                let mut all = Vec::new();
                let mut own = Vec::new();
                for (at, (_, message)) in elements.iter().enumerate() {
                    match message.as_ref().map(&mut look) {
                        Some(Seen::Own) => own.push(at),
                        Some(Seen::Other(splices)) => all.extend(splices),
                        Some(Seen::List) | None => {}
                    }
                }
                batch_from_server(line, &elements, all, &own)
            }
        };
        (fate, learned)
    }

    fn one(&self, line: &str, message: &Message<'_>) -> FromClient {
        let call = tool_call(line, message);
        if let Some(wait) = call.as_ref().and_then(|call| self.wait(line, call)) {
            return wait;
        }
        match self.message(line, message, call) {
            Fate::Pass => FromClient::Pass,
            Fate::Repaired(splice) => FromClient::Changed {
                forward: Some(annotate::spliced(line, vec![splice])),
                answer: None,
            },
            Fate::Refused(answer) => FromClient::Changed {
                forward: None,
                answer: Some(answer + "\n"),
            },
        }
    }

    /// A batch goes on as it is where nothing is repaired or refused. Refused calls are taken out
    /// of it and answered in a batch of their own, at once.
    fn batch(&self, line: &str, elements: &[(Span, Option<Message<'_>>)]) -> FromClient {
        let calls = || {
            elements
                .iter()
                .filter_map(|(_, message)| tool_call(line, message.as_ref()?))
        };
        if let Some(wait) = calls().find_map(|call| self.wait(line, &call)) {
            return wait;
        }
        let mut splices = Vec::new();
        let mut kept: Vec<Cow<'_, str>> = Vec::new();
        let mut answers = Vec::new();
        for (span, message) in elements {
            let raw = line.get(span.clone()).unwrap_or_default();
            let fate = message.as_ref().map_or(Fate::Pass, |message| {
                self.message(line, message, tool_call(line, message))
            });
            match fate {
                Fate::Pass => kept.push(Cow::Borrowed(raw)),
                Fate::Repaired((place, text)) => {
                    let inside = place.start - span.start..place.end - span.start;
                    kept.push(Cow::Owned(annotate::spliced(
                        raw,
                        vec![(inside, text.clone())],
                    )));
                    splices.push((place, text));
                }
                Fate::Refused(answer) => answers.push(answer),
            }
        }
        if answers.is_empty() && splices.is_empty() {
            return FromClient::Pass;
        }
        let batch = |parts: &[Cow<'_, str>]| format!("[{}]\n", parts.join(","));
        let forward = if answers.is_empty() {
            Some(annotate::spliced(line, splices))
        } else {
            (!kept.is_empty()).then(|| batch(&kept))
        };
        let answer = (!answers.is_empty()).then(|| format!("[{}]\n", answers.join(",")));
        FromClient::Changed { forward, answer }
    }

    /// Says whether a call must wait until its tool is known.
    fn wait(&self, line: &str, (_, call): &(Span, Call<'_>)) -> Option<FromClient> {
        let looked_up = !call.doubled && (self.refuse)(&call.name).is_none();
        if !looked_up || !matches!(self.catalog.lookup(&call.name), Lookup::Unread) {
            return None;
        }
        let meta = call.meta.clone().and_then(|meta| protocol_meta(line, meta));
        Some(FromClient::Wait { meta })
    }

    fn message(&self, line: &str, message: &Message<'_>, call: Option<(Span, Call<'_>)>) -> Fate {
        if let Some(id) = message.id(line).filter(|_| message.method.is_some()) {
            // Whatever had this id before has had its answer, or gets none.
            self.forget(&id);
            self.catalog.forget(&id);
        }
        if let Some((id, call)) = call {
            return self.call(line, message, id, &call);
        }
        match message.method.as_deref() {
            Some("tools/list") => {
                if let Some(id) = message.id(line) {
                    let params = message.params.clone();
                    self.catalog.client_asks(id, line, params);
                }
            }
            Some("notifications/cancelled") => {
                let params = message.params.clone();
                let id = params.and_then(|p| message::member(line, p, "requestId"));
                if let Some(id) = id.and_then(|span| Id::read(line, span)) {
                    self.forget(&id);
                }
            }
            _ => {}
        }
        Fate::Pass
    }

    fn call(&self, line: &str, message: &Message<'_>, id: Span, call: &Call<'_>) -> Fate {
        let raw_id = line.get(id).unwrap_or("null");
        let passed = |reason| {
            self.written(|log| log.passed(raw_id, &call.name, reason));
            Fate::Pass
        };
        if message.doubled || call.doubled {
            return passed("doubled-member");
        }
        if let Some(rejection) = (self.refuse)(&call.name) {
            self.written(|log| log.refused(raw_id, &call.name, &rejection));
            return self.refused(line, raw_id, call, &rejection);
        }
        let tool: Arc<Listed> = match self.catalog.lookup(&call.name) {
            Lookup::Listed(tool) => tool,
            Lookup::Absent => return passed("not-listed"),
            Lookup::Unread | Lookup::Unavailable => return passed("no-list"),
        };
        let Some(prepared) = self.catalog.prepared(&tool, self.tell) else {
            return passed("schema");
        };
        let sent = call.arguments.clone().and_then(|span| line.get(span));
        let requires = || {
            prepared
                .tool()
                .signature()
                .required_names()
                .next()
                .is_some()
        };
        let delivered = match sent {
            Some(text) => Delivered::Text(text),
            None if requires() => Delivered::Nothing,
            // The protocol makes arguments optional: this is no mistake.
            None => Delivered::Text("{}"),
        };
        let outcome = prepared.run(Draft::new(delivered));
        self.written(|log| log.outcome(raw_id, &call.name, &outcome));
        match (outcome.status, &outcome.arguments, &outcome.rejection) {
            (Status::Clean, Some(_), _) => Fate::Pass,
            (_, Some(arguments), _) => {
                if let Some(id) = message.id(line) {
                    self.note(id, &outcome);
                }
                Fate::Repaired(match call.arguments.clone() {
                    Some(span) => (span, arguments.to_string()),
                    None => (call.end..call.end, format!(",\"arguments\":{arguments}")),
                })
            }
            (_, None, Some(rejection)) => self.refused(line, raw_id, call, rejection),
            (_, None, None) => {
                let why = "the call could not be read";
                let rejection = Rejection::new("pipeline", Code::INTERNAL, why);
                self.refused(line, raw_id, call, &rejection)
            }
        }
    }

    fn refused(&self, line: &str, raw_id: &str, call: &Call<'_>, rejection: &Rejection) -> Fate {
        let meta = call.meta.clone();
        let manner = Manner {
            typed: meta.is_some_and(|meta| is_typed(line, meta)),
            as_error: call.is_task,
        };
        Fate::Refused(annotate::refusal(raw_id, rejection, manner))
    }

    fn message_from_server(&self, line: &str, message: &Message<'_>) -> Seen {
        if message.method.as_deref() == Some("notifications/tools/list_changed") {
            self.catalog.changed();
        }
        let Some(id) = message.id(line).filter(|_| message.is_response()) else {
            return Seen::Other(Vec::new());
        };
        match self.catalog.answered(&id, line, message.result.clone()) {
            Answered::Neither => {}
            Answered::Client => return Seen::List,
            Answered::Proxy => return Seen::Own,
        }
        let mut notes = self.notes();
        let at = notes.iter().position(|(noted, _)| *noted == id);
        let note = at.map(|at| notes.remove(at).1);
        drop(notes);
        let splices = note.map(|note| note.splices(line, message, self.coach));
        Seen::Other(splices.unwrap_or_default())
    }

    fn note(&self, id: Id, outcome: &Outcome<'_>) {
        let note = Note::new(outcome);
        let mut notes = self.notes();
        notes.push((id, note));
        let mut bytes: usize = notes.iter().map(|(_, note)| note.len()).sum();
        while notes.len() > MAX_NOTES || (bytes > MAX_NOTE_BYTES && notes.len() > 1) {
            bytes -= notes.remove(0).1.len();
        }
    }

    fn forget(&self, id: &Id) {
        self.notes().retain(|(noted, _)| noted != id);
    }

    fn notes(&self) -> MutexGuard<'_, Vec<(Id, Note)>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self, write: impl Fn(&Log) -> std::io::Result<()>) {
        if let Some(Err(why)) = self.log.as_ref().map(write)
            && !self.complained.swap(true, Ordering::Relaxed)
        {
            (self.tell)(&format!("the log could not be written: {why}"));
        }
    }
}

/// Takes what is the proxy's own out of a batch; everything else in it keeps its text.
fn batch_from_server(
    line: &str,
    elements: &[(Span, Option<Message<'_>>)],
    splices: Vec<Splice>,
    own: &[usize],
) -> FromServer {
    if own.is_empty() {
        let changed = (!splices.is_empty()).then(|| annotate::spliced(line, splices));
        return FromServer::Pass(changed);
    }
    let kept = elements
        .iter()
        .enumerate()
        .filter(|(at, _)| !own.contains(at));
    let kept: Vec<_> = kept
        .map(|(_, (span, _))| {
            let inside = splices
                .iter()
                .filter(|(place, _)| span.contains(&place.start));
            let moved = inside.map(|(place, text)| {
                (
                    place.start - span.start..place.end - span.start,
                    text.clone(),
                )
            });
            annotate::spliced(line.get(span.clone()).unwrap_or_default(), moved.collect())
        })
        .collect();
    match kept.as_slice() {
        [] => FromServer::Keep,
        kept => FromServer::Pass(Some(format!("[{}]\n", kept.join(",")))),
    }
}

/// Reads a `tools/call` request and the place of its id. A notification of that name cannot be
/// answered and is none.
fn tool_call<'a>(line: &'a str, message: &Message<'_>) -> Option<(Span, Call<'a>)> {
    if message.method.as_deref() != Some("tools/call") {
        return None;
    }
    message.id(line)?;
    let call = message::call(line, message.params.clone()?)?;
    Some((message.id.clone()?, call))
}

const PROTOCOL: &str = "io.modelcontextprotocol/";

/// Says whether a request follows a revision whose results must say their type.
fn is_typed(line: &str, meta: Span) -> bool {
    message::member(line, meta, "io.modelcontextprotocol/protocolVersion").is_some()
}

/// Copies the metadata that revision 2026-07-28 asks for on every request, and none that belongs
/// to the call alone.
fn protocol_meta(line: &str, meta: Span) -> Option<String> {
    let wanted = ["protocolVersion", "clientInfo", "clientCapabilities"];
    let members = json::members(line, meta)?;
    let copied: Vec<_> = members
        .iter()
        .filter(|(key, _)| {
            key.strip_prefix(PROTOCOL)
                .is_some_and(|k| wanted.contains(&k))
        })
        .filter_map(|(key, span)| {
            let value = line.get(span.clone())?;
            Some(format!("{}:{value}", json::quoted(key)))
        })
        .collect();
    (!copied.is_empty()).then(|| format!("{{{}}}", copied.join(",")))
}
