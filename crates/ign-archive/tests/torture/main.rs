//! Whatever happens to the bytes of an archive: is what is read right or an error, in bounded time
//! and memory?
//!
//! Small archives of every coding and kind of block are damaged in every way: each bit flipped,
//! each byte replaced, each length cut, blocks dropped, repeated, swapped, and taken from other
//! archives, counts forged. By default a sample of that is tried. With the environment variable
//! `IGN_FULL` it is every bit, length and range, and 16 values of every byte (`make torture`).
//! `IGN_BASE=weighted` damages only the archive of that name.

mod base;
mod damage;
mod judge;

use base::Base;
use judge::Judge;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The one test of this file, since it measures the memory of the process.
#[test]
fn damaged_bytes_are_right_or_an_error() {
    let is_full = ign_testing::is_full();
    let only = std::env::var("IGN_BASE").ok();
    let bases = Base::all();
    let is_known = |name: &String| bases.iter().any(|base| base.name == name);
    assert!(only.as_ref().is_none_or(is_known), "IGN_BASE: {only:?}");
    for (number, base) in bases.iter().enumerate() {
        if only.as_ref().is_some_and(|name| base.name != name) {
            continue;
        }
        let mut judge = Judge::new(base, &MEMORY);
        let other = &bases[(number + 1) % bases.len()];
        for (damage, sample, full) in damage::WAYS {
            let step = if is_full { full } else { sample };
            damage(base, other, *step, &mut |damaged| judge.judge(&damaged));
        }
        println!("{}", judge.report());
    }
}
