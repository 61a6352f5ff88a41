//! The text of a rejection, as the model reads it.

use callmend_stage::Rejection;

/// How many bytes of corrected arguments a rejection spells at most; longer ones are left out,
/// since the model has them at hand.
const FIX_LIMIT: usize = 4096;

/// Spells a rejection: the message, each hint on a line of its own, and the corrected arguments.
pub(crate) fn text(rejection: &Rejection) -> String {
    let mut text = rejection.message.clone();
    for hint in &rejection.hints {
        text.push('\n');
        text.push_str(hint);
    }
    if let Some(fix) = rejection.fix.as_ref().filter(|fix| fix.len() <= FIX_LIMIT) {
        text.push_str("\nsend ");
        text.push_str(fix);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use callmend_stage::Code;

    #[test]
    fn hints_and_the_fix_have_a_line_each() {
        let rejection = Rejection::new("s", Code::new("c"), "`q` is required (f takes q)")
            .hint("one")
            .hint("two")
            .fix(r#"{"q":["a"]}"#);
        assert_eq!(
            text(&rejection),
            "`q` is required (f takes q)\none\ntwo\nsend {\"q\":[\"a\"]}"
        );
    }

    #[test]
    fn a_long_fix_is_left_out() {
        let rejection = Rejection::new("s", Code::new("c"), "m").fix("x".repeat(FIX_LIMIT + 1));
        assert_eq!(text(&rejection), "m");
    }
}
