//! The form in which names are compared: lower case, without separators (contract, section 6).

/// Normalizes a name: every character lower-cased, `_` `-` `.` `/` and spaces dropped.
///
/// Lower-casing is Unicode's, character by character, so that a name has one form wherever it
/// stands (the final sigma keeps its own). Two declared names that come out equal match nothing,
/// so a collision costs a repair and never makes a wrong one.
pub(crate) fn form(name: &str) -> String {
    let mut out = String::new();
    bounded(name, usize::MAX, &mut out);
    out
}

/// Writes the form of `name` into `out`; says whether it is at most `longest` bytes long. A
/// longer one is given up as soon as it is too long.
pub(crate) fn bounded(name: &str, longest: usize, out: &mut String) -> bool {
    out.clear();
    for c in name.chars() {
        if matches!(c, '_' | '-' | '.' | '/' | ' ') {
            continue;
        }
        out.extend(c.to_lowercase());
        if out.len() > longest {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casing_and_separators_do_not_count() {
        for name in [
            "file_path",
            "FilePath",
            "file-path",
            "file.path",
            "File Path",
            "file/path",
        ] {
            assert_eq!(form(name), "filepath");
        }
        assert_eq!(form("ÄNDERN"), "ändern");
        assert_eq!(form("_-./ "), "");
    }

    #[test]
    fn other_punctuation_and_white_space_count() {
        for name in [
            "file:path",
            "file\tpath",
            "file\u{a0}path",
            "file+path",
            "$filepath",
        ] {
            assert_ne!(form(name), "filepath");
        }
    }

    #[test]
    fn a_long_name_is_given_up_early() {
        let mut out = String::new();
        assert!(!bounded(&"x".repeat(1 << 20), 8, &mut out));
        assert!(out.len() <= 9);
        assert!(bounded(&"_".repeat(1 << 20), 8, &mut out));
        assert_eq!(out, "");
    }
}
