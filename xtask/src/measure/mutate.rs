//! The mutation set: calls that are right, damaged by seeded operators, each with its label.

mod base;
mod house;
mod mutant;
mod ops_keys;
mod ops_markup;
mod ops_noise;
mod ops_texts;
mod ops_tokens;
mod ops_values;
mod tokens;

use super::item::{Item, Tools};
use super::judge::Label;
use super::rng::Rng;
use crate::call::Sent;
use base::Base;
use mutant::{Class, Classes, Mutant};
use serde_json::{Map, Value};
use tokens::Style;

/// What parts of a call an operator touches: two that touch the same part are not combined.
pub(crate) mod uses {
    /// The names of arguments.
    pub(crate) const KEYS: u32 = 1;
    /// The types of values.
    pub(crate) const VALUES: u32 = 2;
    /// How strings and keys are spelled.
    pub(crate) const STRINGS: u32 = 4;
    /// Commas and what stands beside them.
    pub(crate) const COMMAS: u32 = 8;
    /// What stands around the text.
    pub(crate) const AROUND: u32 = 16;
    /// How numbers are spelled.
    pub(crate) const NUMBERS: u32 = 32;
    /// How literals are spelled.
    pub(crate) const LITERALS: u32 = 64;
    /// White space between tokens.
    pub(crate) const SPACE: u32 = 128;
    /// Needs every key to be declared, as sent.
    pub(crate) const DECLARED: u32 = 256;
    /// Not combined with any other.
    pub(crate) const WHOLE: u32 = 512;
}

type Apply = fn(&Base, &mut Mutant, &mut Rng) -> Option<Classes>;

/// An operator: one mistake, put into a call.
#[derive(Clone, Copy)]
pub(crate) struct Op {
    name: &'static str,
    step: Step,
    uses: u32,
    apply: Apply,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Value,
    Token,
    Text,
}

impl Op {
    fn value(name: &'static str, uses: u32, apply: Apply) -> Self {
        Self {
            name,
            step: Step::Value,
            uses,
            apply,
        }
    }

    fn token(name: &'static str, uses: u32, apply: Apply) -> Self {
        Self {
            name,
            step: Step::Token,
            uses,
            apply,
        }
    }

    fn text(name: &'static str, uses: u32, apply: Apply) -> Self {
        Self {
            name,
            step: Step::Text,
            uses,
            apply,
        }
    }
}

/// A call that is right as it is: an id, a tool's name and schema, and arguments.
pub(crate) struct Right {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) schema: Value,
    pub(crate) arguments: Value,
}

/// How many bytes of code the large calls hold.
const CODE: usize = 100_000;

/// Makes the set: every operator on `per_operator` calls, on two with 100 KB of code, and every
/// two operators that touch different parts of a call, on a few.
pub(crate) fn generate(
    right: Vec<Right>,
    tools: &mut Tools,
    seed: u64,
    per_operator: usize,
) -> Vec<Item> {
    let mut ops = ops_keys::ops();
    ops.extend(ops_values::ops());
    ops.extend(ops_markup::ops());
    ops.extend(ops_tokens::ops());
    ops.extend(ops_texts::ops());
    ops.extend(ops_noise::ops());
    let mut bases: Vec<Base> = right
        .into_iter()
        .filter_map(|call| based(call, tools))
        .collect();
    let house = house::calls().into_iter().enumerate();
    let house = house.filter_map(|(at, call)| based(right_of(format!("house-{at}"), call), tools));
    bases.extend(house.collect::<Vec<_>>());
    let mut rng = Rng::new(seed);
    let large = (0..2).map(|at| right_of(format!("code-{at}"), house::with_code(&mut rng, CODE)));
    let large: Vec<Base> = large
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(|call| based(call, tools))
        .collect();

    let mut items = Vec::new();
    for op in &ops {
        let mut rng = Rng::named(seed, op.name);
        // Noise names no mistake: it takes many calls to meet one.
        let enough = if op.name.starts_with("noise") {
            per_operator * 8
        } else {
            per_operator
        };
        try_on(&[*op], &bases, enough, &mut rng, &mut items);
        let before = items.len();
        try_on(&[*op], &large, large.len(), &mut rng, &mut items);
        for item in items.iter_mut().skip(before) {
            item.kind = format!("100 KB: {}", item.kind);
        }
    }
    for first in &ops {
        for second in ops.iter().filter(|second| combine(first, second)) {
            let mut rng = Rng::named(seed, &format!("{} {}", first.name, second.name));
            let before = items.len();
            try_on(
                &[*first, *second],
                &bases,
                per_operator.div_ceil(12),
                &mut rng,
                &mut items,
            );
            for item in items.iter_mut().skip(before) {
                item.kind = format!("two: {}", first.name);
            }
        }
    }
    items
}

fn right_of(id: String, (tool, schema, arguments): (&'static str, Value, Value)) -> Right {
    Right {
        id,
        tool: tool.to_owned(),
        schema,
        arguments,
    }
}

/// Takes a call as a base, if the raw schema accepts it and nothing in it looks like a mistake.
fn based(call: Right, tools: &mut Tools) -> Option<Base> {
    let prepared = tools.get(&call.tool, &call.schema)?;
    if !prepared.accepts(&call.arguments) {
        return None;
    }
    let Value::Object(args) = call.arguments else {
        return None;
    };
    Some(Base {
        id: call.id,
        tool: call.tool,
        schema: call.schema,
        args,
        prepared,
    })
}

fn combine(first: &Op, second: &Op) -> bool {
    let shared = first.uses & second.uses & !uses::DECLARED;
    let undeclared =
        |one: &Op, other: &Op| one.uses & uses::KEYS != 0 && other.uses & uses::DECLARED != 0;
    let whole = (first.uses | second.uses) & uses::WHOLE != 0;
    first.step <= second.step
        && first.name != second.name
        && shared == 0
        && !whole
        && !undeclared(first, second)
        && !undeclared(second, first)
}

/// Tries operators on calls in a random order until enough took.
fn try_on(ops: &[Op], bases: &[Base], enough: usize, rng: &mut Rng, items: &mut Vec<Item>) {
    let mut order: Vec<&Base> = bases.iter().collect();
    rng.shuffle(&mut order);
    let mut took = 0;
    for base in order {
        if took >= enough {
            return;
        }
        if let Some(item) = damaged(ops, base, rng) {
            items.push(item);
            took += 1;
        }
    }
}

fn damaged(ops: &[Op], base: &Base, rng: &mut Rng) -> Option<Item> {
    let style = *rng.pick(&[Style::Compact, Style::Spaced, Style::Pretty])?;
    let mut mutant = Mutant::of(base, style);
    let mut classes: Option<Classes> = None;
    let mut spelled = Step::Value;
    for op in ops {
        while spelled < op.step {
            spelled = spell(&mut mutant, spelled);
        }
        let before = std::mem::take(&mut mutant.touched);
        let own = (op.apply)(base, &mut mutant, rng)?;
        if mutant.touched.iter().any(|key| before.contains(key)) {
            return None;
        }
        mutant.touched.extend(before);
        classes = Some(match classes {
            None => own,
            Some(before) => Classes {
                standard: in_standard(ops, before.standard, own.standard),
                extended: joined(before.extended, own.extended),
            },
        });
    }
    while spelled < Step::Text {
        spelled = spell(&mut mutant, spelled);
    }
    let classes = classes?;
    let meant = Value::Object(mutant.meant.clone());
    let dispatched = |class| matches!(class, Class::One | Class::Untouched);
    if (dispatched(classes.standard) || dispatched(classes.extended))
        && !base.prepared.accepts(&meant)
    {
        // What a value operator put in does not fit this tool.
        return None;
    }
    let names: Vec<&str> = ops.iter().map(|op| op.name).collect();
    let sent = match mutant.sent.take() {
        Some(sent) => sent,
        None if only_values(ops) && rng.below(2) == 0 => {
            Sent::Value(Value::Object(mutant.args.clone()))
        }
        None => Sent::Text(mutant.text.clone()),
    };
    Some(Item {
        id: format!("{} {}", base.id, names.join(" + ")),
        kind: names.join(" + "),
        tool: base.prepared.clone(),
        sent,
        complete: mutant.complete,
        standard: label(classes.standard, &mutant, &mutant.reads),
        extended: label(classes.extended, &mutant, &mutant.meant),
    })
}

fn only_values(ops: &[Op]) -> bool {
    ops.iter().all(|op| op.step == Step::Value)
}

fn spell(mutant: &mut Mutant, step: Step) -> Step {
    match step {
        Step::Value => {
            mutant.tokens = tokens::tokens(&Value::Object(mutant.args.clone()), mutant.style);
            Step::Token
        }
        _ => {
            mutant.text = tokens::join(&mutant.tokens);
            Step::Text
        }
    }
}

/// Says what two mistakes come to in the standard cascade. What would be refused for a value is
/// not looked at inside an envelope that the standard cascade takes as sent.
fn in_standard(ops: &[Op], one: Class, other: Class) -> Class {
    let values = only_values(ops);
    match (one, other) {
        (Class::Refuse, Class::Passing) | (Class::Passing, Class::Refuse) if values => {
            Class::Passing
        }
        _ => joined(one, other),
    }
}

/// Says what two mistakes in one call come to.
fn joined(one: Class, other: Class) -> Class {
    use Class::{One, Passing, Refuse, Soft, Untouched};
    match (one, other) {
        (Refuse, _) | (_, Refuse) => Refuse,
        (Passing, _) | (_, Passing) => Passing,
        (Soft, _) | (_, Soft) => Soft,
        (Untouched, Untouched) => Untouched,
        (One | Untouched, One | Untouched) => One,
    }
}

/// Makes the label; `own` is what the cascade makes of the call.
fn label(class: Class, mutant: &Mutant, own: &Map<String, Value>) -> Label {
    let meant = || Value::Object(own.clone());
    let reads = || Value::Object(mutant.reads.clone());
    match class {
        Class::One => Label::One(meant()),
        Class::Soft => Label::Soft(meant()),
        Class::Refuse => Label::Refuse,
        Class::Untouched => Label::Untouched(reads()),
        Class::Passing => Label::Passing {
            reads: reads(),
            meant: Value::Object(mutant.meant.clone()),
        },
    }
}
