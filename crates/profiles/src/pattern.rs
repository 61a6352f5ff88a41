//! The keys of a file: `provider/model`, `provider/*` and `*`.

/// What a key stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pattern<'k> {
    /// Every model.
    All,
    /// Every model whose name begins with this and a slash.
    Under(&'k str),
    /// This model.
    One(&'k str),
}

/// Reads a key; `None` when it has none of the three forms.
///
/// Only a whole `*` and a last `/*` are wildcards: a model's name may hold slashes and dots, and is
/// matched exactly. A name with another star would never match, so it is refused.
pub(crate) fn read(key: &str) -> Option<Pattern<'_>> {
    if key == "*" {
        return Some(Pattern::All);
    }
    let (pattern, name) = match key.strip_suffix("/*") {
        Some(provider) => (Pattern::Under(provider), provider),
        None if key.contains('/') => (Pattern::One(key), key),
        None => return None,
    };
    let whole = name
        .split('/')
        .all(|part| !part.is_empty() && part.trim() == part);
    (whole && !name.contains('*')).then_some(pattern)
}

/// Lists the keys that a model falls under, the most specific first.
pub(crate) fn keys_of(model: &str) -> impl Iterator<Item = String> {
    let providers = model
        .rmatch_indices('/')
        .filter_map(|(at, _)| model.get(..at));
    let exact = std::iter::once(model.to_owned());
    exact
        .chain(providers.map(|provider| format!("{provider}/*")))
        .chain(std::iter::once("*".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_forms_and_no_other() {
        assert_eq!(read("*"), Some(Pattern::All));
        assert_eq!(read("openai/*"), Some(Pattern::Under("openai")));
        assert_eq!(read("openai/gpt-4.1"), Some(Pattern::One("openai/gpt-4.1")));
        let routed = "openrouter/anthropic/claude-opus-4.6";
        assert_eq!(read(routed), Some(Pattern::One(routed)));
        assert_eq!(
            read("openrouter/anthropic/*"),
            Some(Pattern::Under("openrouter/anthropic"))
        );
        for wrong in [
            "",
            "openai",
            "/",
            "/*",
            "openai/",
            "/gpt",
            "a//b",
            "openai/gpt-*",
            "*/gpt",
            "**",
            "a/*/b",
            "a/ b",
            " a/b",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_most_specific_comes_first() {
        let keys: Vec<_> = keys_of("a/b/c").collect();
        assert_eq!(keys, ["a/b/c", "a/b/*", "a/*", "*"]);
        assert_eq!(keys_of("m").collect::<Vec<_>>(), ["m", "*"]);
    }
}
