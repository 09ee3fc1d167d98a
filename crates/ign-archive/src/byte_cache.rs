//! A FIFO cache bounded in bytes, so that programs with many queries read and verify a part of a
//! file once.

use std::{
    collections::VecDeque,
    sync::{
        PoisonError, RwLock, RwLockWriteGuard,
        atomic::{AtomicU64, Ordering},
    },
};

use rustc_hash::FxHashMap;

/// Values by number, up to a number of bytes. What was added first is dropped first.
pub(crate) struct ByteCache<V> {
    limit: AtomicU64,
    values: RwLock<Values<V>>,
}

struct Values<V> {
    /// The values with their bytes.
    by_key: FxHashMap<u64, (V, u64)>,
    /// Keys, the first added first.
    order: VecDeque<u64>,
    bytes: u64,
}

impl<V> Default for ByteCache<V> {
    fn default() -> Self {
        Self {
            limit: AtomicU64::new(0),
            values: RwLock::new(Values {
                by_key: FxHashMap::default(),
                order: VecDeque::new(),
                bytes: 0,
            }),
        }
    }
}

impl<V: Clone> ByteCache<V> {
    /// Sets the greatest number of bytes. At first it is 0.
    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
        self.values().drop_beyond(bytes);
    }

    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<V> {
        if self.limit.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        values.by_key.get(&key).map(|(value, _)| value.clone())
    }

    /// Inserts a value of `bytes` bytes, and drops the oldest ones beyond the limit.
    pub fn add(&self, key: u64, value: &V, bytes: u64) {
        let limit = self.limit.load(Ordering::Relaxed);
        if bytes > limit {
            return;
        }
        let mut values = self.values();
        if values.by_key.contains_key(&key) {
            return;
        }
        values.drop_beyond(limit - bytes);
        values.by_key.insert(key, (value.clone(), bytes));
        values.order.push_back(key);
        values.bytes += bytes;
    }

    fn values(&self) -> RwLockWriteGuard<'_, Values<V>> {
        self.values.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Values<V> {
    /// Drops the oldest values until the others have at most `limit` bytes.
    fn drop_beyond(&mut self, limit: u64) {
        while self.bytes > limit
            && let Some(oldest) = self.order.pop_front()
        {
            if let Some((_, dropped)) = self.by_key.remove(&oldest) {
                self.bytes -= dropped;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_added_last_are_kept_within_the_limit() {
        let kept = ByteCache::default();
        kept.add(1, &1, 10);
        assert_eq!(kept.get(1), None);
        kept.set_limit(100);
        for key in 0..20 {
            kept.add(key, &key, 30);
            kept.add(key, &key, 30);
        }
        let found: Vec<u64> = (0..20).filter_map(|key| kept.get(key)).collect();
        assert_eq!(found, [17, 18, 19]);
        kept.add(50, &50, 101);
        assert_eq!(kept.get(50), None);
        kept.add(51, &51, 100);
        assert!(kept.get(51).is_some() && kept.get(19).is_none());
    }
}
