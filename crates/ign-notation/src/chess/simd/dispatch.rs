//! Runs a computation with the widest instructions of this machine.

#[cfg(target_arch = "x86_64")]
use pulp::{
    NullaryFnOnce,
    x86::{V3, V4},
};

use super::{portable::Portable, words::Words};

/// A computation that is compiled for every implementation of [`Words`].
pub(in crate::chess) trait Work {
    /// Its result.
    type Output;

    /// Computes it.
    fn on(self, simd: impl Words) -> Self::Output;
}

/// Runs `work` with the widest instructions of this machine.
#[inline(always)]
pub(in crate::chess) fn here<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = V4::try_new() {
            return simd.vectorize(Compiled { work, simd });
        }
        if let Some(simd) = V3::try_new() {
            return simd.vectorize(Compiled { work, simd });
        }
    }
    work.on(Portable)
}

/// The widest instructions of this machine that are used: `AVX2`.
pub fn instructions() -> &'static str {
    struct Name;

    impl Work for Name {
        type Output = &'static str;

        #[inline(always)]
        fn on(self, simd: impl Words) -> &'static str {
            simd.name()
        }
    }

    here(Name)
}

/// `work` as pulp calls it: in a function compiled with the instructions of `simd`.
#[cfg(target_arch = "x86_64")]
struct Compiled<W, V> {
    work: W,
    simd: V,
}

#[cfg(target_arch = "x86_64")]
impl<W: Work, V: Words> NullaryFnOnce for Compiled<W, V> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.work.on(self.simd)
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::{Planes, Rays};
    use super::*;
    use crate::chess::sliding::tests::noise;

    /// Every operation of [`Words`].
    #[derive(Clone, Copy)]
    struct All {
        planes: Planes<Rays>,
        by: u32,
    }

    impl Work for All {
        type Output = (Vec<Rays>, Vec<u64>);

        #[inline(always)]
        fn on(self, simd: impl Words) -> Self::Output {
            let [a, b, c] = self.planes;
            let (one, other, third) = (simd.rays(a), simd.rays(b), simd.rays(c));
            let planes = [one, other, third];
            let few = simd.and(one, simd.and(other, third));
            let rays = [
                simd.rotate(one, &[1, 63, 8, 56, 7, 57, 9, 0]),
                simd.right(one, self.by),
                simd.left(one, self.by),
                few,
                simd.or(one, other),
                simd.xor(one, other),
                simd.and_where_any(one, few),
                simd.by_rank(planes),
                simd.of_rank(planes, self.by / 8),
            ];
            let words = [
                u64::from(simd.has_any(few)),
                simd.any(few),
                simd.merged(simd.of_rank(planes, self.by / 8)),
                simd.total(simd.of_rank(planes, self.by / 8)).into(),
            ];
            (rays.map(|rays| simd.words(rays)).into(), words.into())
        }
    }

    #[test]
    fn every_implementation_gives_the_same_results() {
        let mut random = noise();
        for round in 0..2_000 {
            let mut word = || random() & random() & if round % 4 == 0 { random() & 7 } else { !0 };
            let planes = [[0; 8]; 3].map(|rays: Rays| rays.map(|_| word()));
            let work = All {
                planes,
                by: round % 64,
            };
            let any = work.on(Portable);
            #[cfg(target_arch = "x86_64")]
            {
                let avx2 = V3::try_new();
                avx2.inspect(|&v| assert_eq!(v.vectorize(Compiled { work, simd: v }), any));
                let avx512 = V4::try_new();
                avx512.inspect(|&v| assert_eq!(v.vectorize(Compiled { work, simd: v }), any));
            }
            assert_eq!(here(work), any);
            let (rays, words) = any;
            let [by_rank, of_rank] = [rays[7], rays[8]];
            let count = |ray: usize, squares: u64| {
                let bits = |plane: usize| (planes[plane][ray] & squares).count_ones();
                bits(0) + 2 * bits(1) + 4 * bits(2)
            };
            for ray in 0..8 {
                for i in 0..8 {
                    let on_rank = count(ray, 0xff << (8 * i));
                    assert_eq!(u32::from(by_rank[ray].to_le_bytes()[i]), on_rank);
                    let on_square = count(ray, 1 << (round % 64 / 8 * 8 + i as u32));
                    assert_eq!(u32::from(of_rank[ray].to_le_bytes()[i]), on_square);
                }
            }
            let of_rank = (0..8).map(|ray| count(ray, 0xff << (round % 64 / 8 * 8)));
            assert_eq!(words[3], u64::from(of_rank.sum::<u32>()));
        }
    }
}
