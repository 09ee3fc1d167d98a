//! `ign transcode`: the command, from one coding to another.

mod support;

use std::fs;

use support::{Workspace, ign};
