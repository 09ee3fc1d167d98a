//! Sections of an index that are kept in memory, so that programs that ask many questions read and verify
//! each once.

use std::{
    collections::VecDeque,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use rustc_hash::FxHashMap;

/// The payloads of sections, up to a number of bytes. What was read first is dropped first.
#[derive(Default)]
pub struct Kept {
    limit: AtomicU64,
    sections: RwLock<Sections>,
}

#[derive(Default)]
struct Sections {
    by_offset: FxHashMap<u64, Arc<Vec<u8>>>,
    /// Offsets, the first read first.
    order: VecDeque<u64>,
    bytes: u64,
}

impl Kept {
    /// Sets the greatest number of bytes. At first it is 0.
    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// The section at an offset.
    pub fn get(&self, offset: u64) -> Option<Arc<Vec<u8>>> {
        if self.limit.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let sections = self.sections.read();
        let sections = sections.unwrap_or_else(PoisonError::into_inner);
        sections.by_offset.get(&offset).cloned()
    }

    /// Keeps a section, and drops others if there are too many bytes.
    pub fn add(&self, offset: u64, section: &Arc<Vec<u8>>) {
        let limit = self.limit.load(Ordering::Relaxed);
        let len = section.capacity() as u64;
        if len > limit {
            return;
        }
        let sections = self.sections.write();
        let mut sections = sections.unwrap_or_else(PoisonError::into_inner);
        if sections.by_offset.contains_key(&offset) {
            return;
        }
        while sections.bytes + len > limit {
            let Some(oldest) = sections.order.pop_front() else {
                break;
            };
            if let Some(dropped) = sections.by_offset.remove(&oldest) {
                sections.bytes -= dropped.capacity() as u64;
            }
        }
        sections.by_offset.insert(offset, section.clone());
        sections.order.push_back(offset);
        sections.bytes += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_read_last_are_kept_within_the_limit() {
        let kept = Kept::default();
        let section = |len: usize| Arc::new(vec![7; len]);
        kept.add(1, &section(10));
        assert_eq!(kept.get(1), None);
        kept.set_limit(100);
        for offset in 0..20 {
            kept.add(offset, &section(30));
            kept.add(offset, &section(30));
        }
        let found: Vec<u64> = (0..20).filter(|&offset| kept.get(offset).is_some()).collect();
        assert_eq!(found, [17, 18, 19]);
        kept.add(50, &section(101));
        assert_eq!(kept.get(50), None);
        kept.add(51, &section(100));
        assert!(kept.get(51).is_some() && kept.get(19).is_none());
    }
}
