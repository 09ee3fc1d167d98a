//! `GET /api/conditions`: the conditions on games, from which the page makes its form.

use ign_archive::query::{CONDITIONS, Condition, Form};
use serde_json::{Value, json};

use crate::{failure::Result, request::Request, task::Task};

/// `GET /api/conditions`
pub(crate) fn conditions(request: Request) -> Result<Task> {
    request.parameters.finish()?;
    Ok(Task::done("no-cache", &list()))
}

/// The conditions on games as JSON: the answer of `/api/conditions`.
#[must_use]
pub fn list() -> Value {
    let rows: Vec<Value> = CONDITIONS.iter().copied().map(row).collect();
    json!({ "conditions": rows })
}

fn row(condition: &Condition) -> Value {
    let choices = match condition.form {
        Form::Choices(words) => words,
        _ => &[],
    };
    json!({
        "name": condition.name,
        "form": condition.form.name(),
        "choices": choices,
        "repeatable": condition.is_repeatable(),
        "heading": condition.heading.title(),
        "label": condition.label,
        "help": condition.help,
        "example": condition.example,
    })
}
