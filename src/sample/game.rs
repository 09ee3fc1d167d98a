//! One game: its moves as text, and how it ends.
//!
//! Invariant: the text is legal and standard, and the ending is one that the rules or people's
//! habits allow where the moves stop: mate and stalemate always end the game, with the result
//! that they mean.

use shakmaty::{Bitboard, Color, Role};

use super::attacks::Attacks;
use super::clocks::{Clock, TimeControl};
use super::openings::Opening;
use super::policy::{Skill, View, WORTH};
use super::random::{Random, mix};
use super::text::{self, Word};
use crate::chess::{Legal, Move, Position, san};

/// What is settled before the first move.
#[derive(Debug)]
pub struct Setting<'a> {
    /// How well White and Black play.
    pub skills: [Skill; 2],
    /// Their time.
    pub control: &'a TimeControl,
    /// How they open.
    pub opening: &'a Opening,
    /// The ply after which one of them is gone for good, if one leaves.
    pub abandoned: Option<u32>,
    /// Whether clocks are written.
    pub clocks: bool,
}

/// How a game was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// Who won, if anybody did.
    pub winner: Option<Color>,
    /// What the `Termination` tag says.
    pub termination: &'static str,
}

impl Ending {
    const fn normal(winner: Option<Color>) -> Ending {
        Ending {
            winner,
            termination: "Normal",
        }
    }

    /// The result as PGN has it.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// White's half points.
    pub const fn score(&self) -> i32 {
        match self.winner {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        }
    }
}

/// Plies without a capture or a pawn's move after which a draw is claimed.
const FIFTY_MOVES: u32 = 100;
/// Plies that a lead must have lasted before somebody gives up.
const CONVINCED: u32 = 5;

/// Odd factors that make a position's key, the side to move's first, then the roles'.
const KEYS: [u64; 7] = {
    let mut keys = [0; 7];
    let mut i = 0;
    while i < 7 {
        keys[i] = mix(i as u64 + 1) | 1;
        i += 1;
    }
    keys
};

/// The board on which one game after another is played.
#[derive(Debug, Default)]
pub struct Table {
    position: Position,
    /// Keys of the positions since the last capture or pawn's move.
    past: Vec<u64>,
    ply: u32,
    /// White's material less Black's, in pawns.
    balance: i32,
    /// Plies for which one side has been ahead by much.
    lasting: u32,
    /// Where the last move took something.
    taken: Bitboard,
}

impl Table {
    /// Plays a game and appends its moves, each followed by a space.
    pub fn play(&mut self, setting: &Setting, random: &mut Random, out: &mut Vec<u8>) -> Ending {
        self.clear();
        let mut clocks = [0; 2].map(|_| Clock::new(setting.control, random));
        let mut legal = Legal::new(&self.position);
        let mut own = Attacks::default();
        loop {
            let side = (self.ply & 1) as usize;
            if !clocks[side].think(self.ply / 2, random) {
                return self.flag();
            }
            let line = setting.opening.moves.get(self.ply as usize..);
            let theirs = match line {
                // Nobody looks at the board before the line is nearly over.
                Some([_, _, ..]) => Attacks::default(),
                _ => Attacks::of(&self.position, !self.position.turn()),
            };
            let m = match line {
                Some(&[m, ..]) => m,
                _ => {
                    let view = View {
                        legal: &legal,
                        own: &own,
                        theirs: &theirs,
                        taken: self.taken,
                        ply: self.ply,
                    };
                    view.choose(setting.skills[side], random)
                }
            };
            own = theirs;
            let mut san = [0; san::MAX_LEN];
            let len = san::write(&legal, m, &mut san);
            self.push(m);
            legal = Legal::new(&self.position);

            let mut word = Word::default();
            self.number(setting.clocks, &mut word);
            word.push(&san, len);
            if legal.is_check() {
                word.push(if legal.count() == 0 { b"#" } else { b"+" }, 1);
            }
            word.push(b" ", 1);
            if setting.clocks {
                let shown = text::clock(clocks[side].shows());
                word.push(b"{ [%clk ", 8);
                word.push(&shown, 7);
                word.push(b"] } ", 4);
            }
            word.append_to(out);
            if let Some(ending) = self.ending(&legal, setting, random) {
                return ending;
            }
        }
    }

    fn clear(&mut self) {
        self.past.clear();
        *self = Table {
            past: std::mem::take(&mut self.past),
            ..Table::default()
        };
    }

    /// Writes the number before the move just played, if one belongs there.
    #[inline]
    fn number(&self, clocks: bool, word: &mut Word) {
        let white = self.ply & 1 == 1;
        if white || clocks {
            let (digits, len) = text::small(self.ply.div_ceil(2));
            word.push(&digits, len);
            word.push(b"... ", if white { 0 } else { 2 });
            word.push(b". ", 2);
        }
    }

    /// Plays a move and keeps the books.
    #[inline]
    fn push(&mut self, m: Move) {
        let turn = self.position.turn();
        let pawns = self.position.by_role(Role::Pawn);
        let target = Bitboard::from_square(m.to());
        self.taken = target & self.position.them();
        if self.taken.any() || pawns.contains(m.from()) {
            let en_passant = pawns.contains(m.from()) && m.from().file() != m.to().file();
            let taken = self.position.role_at(m.to()).filter(|_| self.taken.any());
            let taken = taken.or(en_passant.then_some(Role::Pawn));
            let gain = taken.map_or(0, |role| WORTH[role as usize])
                + m.promotion().map_or(0, |role| WORTH[role as usize] - 1);
            self.balance += turn.fold_wb(gain as i32, -(gain as i32));
            self.past.clear();
        }
        self.position.play(m);
        self.ply += 1;
        self.lasting = if self.balance.abs() >= 4 {
            self.lasting + 1
        } else {
            0
        };
        self.past.push(self.key());
    }

    /// A number for the position; castling and en passant are beside the point, since a
    /// repetition that they would deny is one that people may still agree on.
    #[inline]
    fn key(&self) -> u64 {
        // Products that do not wait for each other; folding brings high bits down, which a
        // product would only shift out.
        let fold = |squares: Bitboard| squares.0 ^ squares.0 >> 32;
        Role::ALL
            .iter()
            .map(|&role| fold(self.position.by_role(role)).wrapping_mul(KEYS[role as usize]))
            .fold(
                fold(self.position.us()).wrapping_mul(KEYS[0]),
                u64::wrapping_add,
            )
    }

    /// How the game ends here, if it does.
    #[inline]
    fn ending(&self, legal: &Legal, setting: &Setting, random: &mut Random) -> Option<Ending> {
        let turn = self.position.turn();
        if legal.count() == 0 {
            return Some(Ending::normal(legal.is_check().then_some(!turn)));
        }
        if self.ply < setting.opening.moves.len() as u32 {
            return None;
        }
        if setting.abandoned.is_some_and(|ply| self.ply >= ply) {
            return Some(Ending {
                winner: Some(!turn),
                termination: "Abandoned",
            });
        }
        let quiet = self.past.len() as u32;
        if quiet > FIFTY_MOVES || self.is_repetition() || self.is_dead() {
            return Some(Ending::normal(None));
        }
        let dice = random.bits();
        let behind = turn.fold_wb(-self.balance, self.balance);
        if behind >= 5 && self.lasting >= CONVINCED {
            // In 4096ths: the strong and those who are far behind lose hope sooner.
            let despair = (behind as u64 - 2)
                * (10 + setting.skills[(self.ply & 1) as usize].percent() as u64);
            if dice & 4095 < despair / 2 {
                return Some(Ending::normal(Some(!turn)));
            }
        } else if self.ply > 50 && self.balance.abs() <= 1 {
            let men = self.position.occupied().count() as u64;
            if dice & 4095 < 200 / (4 + men) {
                return Some(Ending::normal(None));
            }
        }
        // Now and then somebody gives up for reasons of their own.
        (self.ply > 1 && dice >> 12 & 4095 < 4).then_some(Ending::normal(Some(!turn)))
    }

    /// The side to move has run out of time.
    fn flag(&self) -> Ending {
        let winner = !self.position.turn();
        let alone = self.position.by_color(winner).count() == 1;
        Ending {
            winner: (!alone).then_some(winner),
            termination: "Time forfeit",
        }
    }

    /// Whether the position is there for the third time.
    #[inline]
    fn is_repetition(&self) -> bool {
        if self.past.len() <= 8 {
            return false;
        }
        let Some((last, past)) = self.past.split_last() else {
            return false;
        };
        past.iter().filter(|&key| key == last).count() >= 2
    }

    /// Whether neither side has enough left to mate.
    #[inline]
    fn is_dead(&self) -> bool {
        let position = &self.position;
        if position.occupied().count() > 4 {
            return false;
        }
        let strong = position.by_role(Role::Pawn)
            | position.by_role(Role::Rook)
            | position.by_role(Role::Queen);
        let (knights, bishops) = (
            position.by_role(Role::Knight),
            position.by_role(Role::Bishop),
        );
        let one_colour = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES]
            .iter()
            .any(|&squares| (bishops & squares) == bishops);
        strong.is_empty()
            && (position.occupied().count() <= 3 || (knights.is_empty() && one_colour))
    }
}
