//! Evaluations: what an engine says that a position is worth, in hundredths of a pawn
//! (spec §4.5.7).
//!
//! What is coded is how much the player who has moved has lost by his move. Servers that annotate
//! games mark moves by that too: `?!` stands where a tenth of the winning chances went, `?` and
//! `??` where two and three did. Glyphs are known before the comments, so the loss behind such a
//! move is told from the least that it must be, and one without is predicted to be less. Losses are
//! predicted by a [`Network`], beside which stands what the block has let expect so far.
//!
//! Many games begin alike, and servers remember what positions are worth: so the evaluation of a
//! position that stood on the board before is, most likely, the same.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{
    clock_model::{class, classes, follow, phase, taking},
    series::Place,
};
use ign_entropy::{
    adaptive::{Bit, Coder},
    mixing::{DECISIONS, MixedSigned},
    network::{Network, Shape, first_rows, rows},
};

/// How many inputs there are.
pub const INPUTS: usize = 13;
/// How many values each input can have.
const VALUES: [usize; INPUTS] = [64, 128, 256, 128, 64, 64, 64, 7, 7, 6, 2, 16, 64];
/// Where the values of each input begin among those of all.
const FIRST: [usize; INPUTS] = first_rows(VALUES);
/// The values of all inputs.
const ROWS: usize = FIRST[INPUTS - 1] + VALUES[INPUTS - 1];
/// Products of two units each.
const WIDTH: usize = 16;
const UNITS: usize = 2 * WIDTH;
/// How large the network is.
pub const SHAPE: Shape = Shape {
    rows: ROWS,
    width: WIDTH,
    decisions: DECISIONS,
};

/// Evaluations are in so many thousandths.
pub const UNIT: i64 = 10;
/// Steps count no larger in what is usual.
const LARGEST_STEP: i64 = 1 << 20;

static EMBEDDED: LazyLock<Network<'static, WIDTH, UNITS>> =
    LazyLock::new(|| Network::from_bytes(include_bytes!("evals.bin"), SHAPE));

/// What the glyph behind a move says of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Glyph {
    /// Nothing, or nothing bad.
    #[default]
    None,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Glyph {
    /// The first in a gap, as a sign or as a numeric annotation glyph.
    pub fn of_gap(gap: &[u8]) -> Self {
        let Some(at) = memchr::memchr2(b'?', b'$', gap) else {
            return Self::None;
        };
        let ends = |rest: &[u8]| !rest.first().is_some_and(u8::is_ascii_digit);
        match &gap[at..] {
            [b'?', b'!', ..] => Self::Inaccuracy,
            [b'?', b'?', ..] => Self::Blunder,
            [b'?', ..] if gap[..at].ends_with(b"!") => Self::None,
            [b'?', ..] => Self::Mistake,
            [b'$', b'6', rest @ ..] if ends(rest) => Self::Inaccuracy,
            [b'$', b'4', rest @ ..] if ends(rest) => Self::Blunder,
            [b'$', b'2', rest @ ..] if ends(rest) => Self::Mistake,
            _ => Self::None,
        }
    }
}

/// Evaluations beyond this, in hundredths, have the winning chances of this.
const MAX: i64 = 4000;
/// Winning chances of one.
const ONE: i64 = 1 << 30;

/// The winning chances at evaluations from 0 to [`MAX`], from none, 0, to [`ONE`]: for an
/// evaluation e 2 / (1 + exp(-0.00368208 e)) - 1, as Lichess reckons them.
static CHANCES: LazyLock<Vec<i64>> = LazyLock::new(|| {
    // exp(-0.00368208), of 2^64.
    const RATIO: u128 = 18_378_946_580_785_229_882;
    let powers = std::iter::successors(Some(1u128 << 62), |power| Some((power * RATIO) >> 64));
    let chance = |power: u128| (((1 << 62) - power) / (((1 << 62) + power) >> 30)) as i64;
    powers.take(MAX as usize + 1).map(chance).collect()
});

/// The least that one who stands so loses with so many tenths of the winning chances; none where
/// that cannot be.
fn least_loss(stands: i64, tenths: i64) -> Option<i64> {
    let chances = |at: i64| CHANCES[at as usize];
    let left = match stands.clamp(-MAX, MAX) {
        lost @ ..0 => -chances(-lost),
        won => chances(won),
    } - tenths * ONE / 10;
    let to = match left {
        ..0 => -(CHANCES.partition_point(|&c| c < -left) as i64),
        _ => CHANCES.partition_point(|&c| c <= left) as i64 - 1,
    };
    (to >= -MAX).then(|| stands.saturating_sub(to))
}

/// A signed number as an input or context: its class, behind `half` for losses and nothing.
fn signed(value: i64, half: usize, class: impl Fn(i64) -> usize) -> usize {
    match value {
        1.. => class(value).min(half - 1),
        _ => half + class(value.saturating_neg()).min(half - 1),
    }
}

/// Finer classes than those of contexts.
fn fine(value: i64) -> usize {
    classes::<2>(value).min(63)
}

/// What a game's evaluations have said so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told {
    /// Behind how many moves the last one stood, and what it was.
    last: Option<(usize, i64)>,
    /// The last step, from White's side; none where the move was marked.
    step: i64,
    /// How large steps behind moves of each side were, in 16ths; marked ones are none.
    usual: [i64; 2],
    /// The last two glyphs, the last one first.
    glyphs: [Glyph; 2],
}

/// What is predicted of an evaluation.
pub struct Outlook {
    /// The evaluation before, and 1 where White has moved, else -1.
    last: i64,
    turn: i64,
    /// What the player has lost at least, if the glyph is right.
    least: i64,
    /// The rows of the inputs.
    pub inputs: [u16; INPUTS],
    contexts: [usize; 2],
}

impl Outlook {
    /// How much more than the least is lost with this evaluation.
    pub fn more(&self, value: i64) -> i64 {
        let loss = self.last.saturating_sub(value).saturating_mul(self.turn);
        loss.saturating_sub(self.least)
    }

    /// The evaluation with which so much more is lost.
    fn value(&self, more: i64) -> i64 {
        let loss = more.saturating_add(self.least);
        self.last.saturating_sub(loss.saturating_mul(self.turn))
    }
}

impl Told {
    /// What is predicted at a place, if the evaluation before the move is known.
    pub fn outlook(&self, place: &Place) -> Option<Outlook> {
        let (ply, moves) = (place.moment.ply, place.moment.moves);
        let (at, last) = self.last?;
        let played = ply.checked_sub(1).filter(|&before| before == at)?;
        let side = ply & 1;
        let turn = if side == 1 { 1 } else { -1 };
        let stands = last.saturating_mul(turn);
        let glyph = place.glyph as usize;
        let beyond = least_loss(stands, glyph as i64 + 1);
        let (least, room) = match place.glyph {
            Glyph::None => match beyond.map_or(i64::MAX, |beyond| beyond.saturating_sub(55)) {
                near @ ..24 => (0, near.max(0) as usize),
                far => (0, (24 + classes::<2>(far - 24)).min(63)),
            },
            Glyph::Blunder => {
                let least = least_loss(stands, 3)?;
                (least, fine(least.saturating_sub(165)))
            }
            _ => {
                let least = least_loss(stands, glyph as i64)?;
                let width = beyond.map_or(i64::MAX, |beyond| beyond.saturating_sub(least));
                (least, fine(width))
            }
        };
        let seen = moves.get(played).copied().unwrap_or_default();
        let before = played.checked_sub(1).and_then(|before| moves.get(before));
        let gives_check = moves.get(ply).is_some_and(|next| next.in_check);
        let values = [
            (ply / 2).min(63),
            signed(stands, 64, fine),
            glyph * 64 + room,
            signed(self.step.saturating_mul(turn), 64, fine),
            fine(self.usual[side] / 4),
            fine(self.usual[1 - side] / 4),
            glyph * 16 + self.glyphs[0] as usize * 4 + self.glyphs[1] as usize,
            usize::from(seen.role),
            usize::from(seen.victim),
            usize::from(seen.answer) + 3 * usize::from(seen.in_check),
            usize::from(gives_check),
            before.map_or(0, taking),
            usize::from(seen.material),
        ];
        let stand = signed(stands, 32, class);
        let contexts = match place.glyph {
            Glyph::None => {
                let usual = self.usual[0].saturating_add(self.usual[1]) / 32;
                [stand * 16 + phase(ply), class(usual).min(31)]
            }
            _ => [glyph * 64 + stand, glyph * 32 + room / 2],
        };
        Some(Outlook {
            last,
            turn,
            least,
            inputs: rows(values, FIRST),
            contexts,
        })
    }

    /// Whether something was said at this place already.
    fn has(&self, place: &Place) -> bool {
        self.last.is_some_and(|(at, _)| at == place.moment.ply)
    }

    /// Notes what was said at a place for the first time.
    pub fn note(&mut self, place: &Place, value: i64) {
        let (ply, glyph) = (place.moment.ply, place.glyph);
        let step = match self.last {
            Some((at, last)) if at + 1 == ply => value.saturating_sub(last),
            _ => 0,
        };
        self.step = if glyph == Glyph::None { step } else { 0 };
        let usual = &mut self.usual[ply & 1];
        *usual = follow(*usual, self.step.saturating_abs().min(LARGEST_STEP));
        self.glyphs = [glyph, self.glyphs[0]];
        self.last = Some((ply, value));
    }
}

/// What a position was said to be worth last, and how often in a row.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    value: i64,
    times: usize,
}

/// The evaluations of a block, and of the game that is under way.
#[derive(Clone)]
pub struct Evals {
    told: Told,
    /// Positions of openings, by their keys.
    known: FxHashMap<u64, Known>,
    /// Whether a known position is worth what it was, by how often it has been and by how far the
    /// game has come.
    same: [[Bit; 3]; 4],
    /// Losses by moves that are not marked, and by those that are.
    losses: [MixedSigned<2>; 2],
}

impl Default for Evals {
    fn default() -> Self {
        Self {
            told: Told::default(),
            known: FxHashMap::default(),
            same: Default::default(),
            losses: std::array::from_fn(|_| MixedSigned::predicted()),
        }
    }
}

impl Evals {
    /// Begins a game.
    pub fn begin(&mut self) {
        self.told = Told::default();
    }

    /// Codes an evaluation, in hundredths, if anything tells what to expect.
    pub fn code(&mut self, coder: &mut impl Coder, place: &Place, given: i64) -> Option<i64> {
        let ply = place.moment.ply;
        if self.told.has(place) {
            return None;
        }
        if let Some(known) = place.moment.key().and_then(|key| self.known.get(&key)) {
            let same =
                &mut self.same[known.times.min(3)][usize::from(ply > 8) + usize::from(ply > 16)];
            if coder.bit(same, given == known.value) {
                return Some(known.value);
            }
        }
        let outlook = self.told.outlook(place)?;
        let prediction = EMBEDDED.predict(&outlook.inputs);
        let odds = |decision| prediction.logit(decision);
        let losses = &mut self.losses[usize::from(place.glyph != Glyph::None)];
        let more = losses.code_predicted(coder, outlook.contexts, odds, outlook.more(given));
        Some(outlook.value(more))
    }

    /// Notes an evaluation, however it was coded.
    pub fn note(&mut self, place: &Place, value: i64) {
        if self.told.has(place) {
            return;
        }
        if let Some(key) = place.moment.key() {
            let known = self.known.entry(key).or_insert(Known { value, times: 0 });
            let times = if known.value == value {
                known.times + 1
            } else {
                0
            };
            *known = Known { value, times };
        }
        self.told.note(place, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        container::checksum,
        pgn::comments::{clock_model::Moment, move_features::MoveFeatures},
    };
    use ign_entropy::adaptive::{Decoder, Encoder};

    #[test]
    fn the_network_is_that_of_the_format() {
        assert_eq!(checksum(include_bytes!("evals.bin")), 0x28bb_b955_d482_5bdb);
    }

    #[test]
    fn gaps_tell_glyphs() {
        for (gap, glyph) in [
            (&b"?! \x02 \x01. "[..], Glyph::Inaccuracy),
            (b"? ", Glyph::Mistake),
            (b"?? \x02 ", Glyph::Blunder),
            (b" $6 $14 ", Glyph::Inaccuracy),
            (b" $2", Glyph::Mistake),
            (b" $4 \x02", Glyph::Blunder),
            (b"!? \x02 ", Glyph::None),
            (b" $22 ", Glyph::None),
            (b" $", Glyph::None),
            (b"! \x01. ", Glyph::None),
        ] {
            assert_eq!(Glyph::of_gap(gap), glyph, "{gap:?}");
        }
    }

    #[test]
    fn winning_chances_bound_losses() {
        let chance = |e: i64| 2.0 / (1.0 + (-0.003_682_08 * e as f64).exp()) - 1.0;
        for stands in (-1200..1200).step_by(37) {
            for tenths in 1..=3 {
                let lost = |loss| chance(stands) - chance(stands - loss) - tenths as f64 / 10.0;
                match least_loss(stands, tenths) {
                    Some(least) => assert!(lost(least) > -1e-6 && lost(least - 1) < 1e-6),
                    None => assert!(lost(MAX + stands) < 1e-6),
                }
            }
        }
        // Such as Lichess has: 0.00 and -0.55 is an inaccuracy, -0.54 is none.
        assert_eq!(least_loss(0, 1), Some(55));
        assert_eq!(least_loss(-5000, 1), None);
        assert!(least_loss(i64::MIN, 3).is_none() && least_loss(i64::MAX, 3).is_some());
    }

    /// Codes evaluations, one behind each move, with their glyphs, in games that begin alike.
    fn code(coder: &mut impl Coder, games: &[Vec<(Glyph, i64)>]) -> Vec<Vec<i64>> {
        let mut evals = Evals::default();
        let moves: Vec<MoveFeatures> = (1..9)
            .map(|key| MoveFeatures {
                key,
                ..MoveFeatures::default()
            })
            .collect();
        let mut game = |told: &Vec<(Glyph, i64)>| {
            evals.begin();
            let mut one = |(i, &(glyph, given)): (usize, &(Glyph, i64))| {
                let place = Place {
                    slot: 0,
                    field: 0,
                    moment: Moment {
                        ply: i + 1,
                        moves: &moves,
                    },
                    glyph,
                    evaluates: true,
                };
                let coded = evals.code(coder, &place, given);
                let value = coded.unwrap_or_else(|| coder.uniform(given as u64, 64) as i64);
                evals.note(&place, value);
                assert_eq!(evals.code(coder, &place, value), None, "told already");
                value
            };
            told.iter().enumerate().map(&mut one).collect()
        };
        games.iter().map(&mut game).collect()
    }

    fn bytes_of(games: &[Vec<(Glyph, i64)>]) -> Vec<u8> {
        let mut coder = Encoder::new();
        code(&mut coder, games);
        coder.finish()
    }

    #[test]
    fn what_positions_are_worth_is_remembered() {
        let game: Vec<_> = (1..9).map(|i| (Glyph::None, i * 37 % 50)).collect();
        let (once, often) = (
            bytes_of(std::slice::from_ref(&game)),
            bytes_of(&vec![game.clone(); 50]),
        );
        assert!(often.len() < once.len() + 20, "{}", often.len());
    }

    #[test]
    fn glyphs_tell_what_is_lost() {
        use Glyph::{Inaccuracy, None};
        let game = |glyph| vec![(None, 20), (glyph, 90), (None, 85), (glyph, 150)];
        let len = |glyph| {
            let games: Vec<_> = (0..2000).map(|_| game(glyph)).collect();
            let mut coder = Encoder::new();
            for game in &games {
                code(&mut coder, std::slice::from_ref(game));
            }
            coder.finish().len()
        };
        assert!(len(Inaccuracy) < len(None), "each game by itself");
    }

    #[test]
    fn evaluations_of_any_size_and_glyph_come_back() {
        const LARGE: i64 = 999_999_999_999_999;
        use Glyph::{Blunder, Inaccuracy, Mistake, None};
        let values = [0, 15, -40, 480, -3000, LARGE, -LARGE, 1, 7, 7];
        let game = |shift: usize| {
            let glyphs = [None, Inaccuracy, Mistake, Blunder].into_iter().cycle();
            let rotated = values.iter().cycle().skip(shift).take(10);
            glyphs.skip(shift / 3).zip(rotated.copied()).collect()
        };
        let games: Vec<Vec<(Glyph, i64)>> = (0..30).map(game).collect();
        let bytes = bytes_of(&games);
        let mut silent = games.clone();
        silent
            .iter_mut()
            .flatten()
            .for_each(|(_, value)| *value = 0);
        let found = code(&mut Decoder::new(&bytes), &silent);
        let given = |game: &Vec<(Glyph, i64)>| game.iter().map(|&(_, v)| v).collect();
        let expected: Vec<Vec<i64>> = games.iter().map(given).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn foreign_bytes_do_no_harm() {
        for byte in 0..=255 {
            let games: Vec<_> = (0..40).map(|i| vec![(Glyph::Blunder, i); 12]).collect();
            code(&mut Decoder::new(&[byte, 0xff, !byte].repeat(9)), &games);
        }
    }
}
