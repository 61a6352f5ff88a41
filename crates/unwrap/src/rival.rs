//! The other reading of an envelope's name: a declared argument under another spelling.

use callmend_stage::{Signature, Tool, registry};

/// Finds the declared argument that alias-rename would read `name` as, if there is one.
pub(crate) fn of(name: &str, tool: &Tool) -> Option<String> {
    let signature: &Signature = tool.signature();
    let form = normalized(name);
    let mut spelled = signature
        .declared_names()
        .filter(|declared| normalized(declared) == form);
    if let (Some(declared), None) = (spelled.next(), spelled.next()) {
        return Some(declared.to_owned());
    }
    let own = tool
        .aliases()
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()));
    let schema = signature
        .root()
        .properties()
        .flat_map(|(to, slot)| slot.aliases().map(move |from| (from, to)));
    let registered = registry::aliases();
    let registered = registered.iter().map(|entry| (entry.from, entry.to));
    own.chain(schema)
        .chain(registered)
        .find(|(from, to)| normalized(from) == form && signature.is_declared(to))
        .map(|(_, to)| to.to_owned())
}

/// Lower-cases a name and drops its separators, as alias-rename compares (contract, section 6).
fn normalized(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | '/' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}
