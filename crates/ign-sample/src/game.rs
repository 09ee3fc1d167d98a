//! One game: its moves as text, and how it ends.
//!
//! The moves are drawn from the move model, each as often as its frequency says, and so is the moment
//! at which the game stops: it is weighted notation read backwards, random numbers in place of an
//! integer. Why it stops the model does not say; that is settled here by what stands on board and
//! clocks. Invariant: the text is legal and standard, and the ending is one that the rules or
//! people's habits allow where the moves stop: mate and stalemate always end the game, with the
//! result that they mean.

use shakmaty::{Bitboard, Color, Role};

use super::clocks::{Clock, TimeControl};
use super::random::{Random, mix};
use super::text::{self, Word};
use ign_format::model::{Frequencies, History, Scorer};
use ign_notation::chess::{Legal, Move, Position, Start, san};

/// What is settled before the first move.
#[derive(Debug)]
pub struct Setting<'a> {
    /// What White and Black are rated.
    pub ratings: [i32; 2],
    /// Their time.
    pub control: &'a TimeControl,
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

/// Plies without a capture or a pawn's move after which a draw may be claimed, and after which
/// there is no choice.
const FIFTY_MOVES: usize = 100;
const SEVENTY_FIVE_MOVES: usize = 150;
/// A game that stops within so many plies was not meant to be played.
const HARDLY_BEGUN: u32 = 6;
/// Plies of a game by which its opening is told.
const OPENING: usize = 12;
/// The style of play that is drawn from: the model's first, people who play online.
const STYLE: u8 = 0;
/// Pieces' worth in pawns, by role; a king's counts for nothing, it is never taken.
const WORTH: [i32; 7] = [0, 1, 3, 3, 5, 9, 0];

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
pub struct Table {
    scorer: Scorer,
    frequencies: Frequencies,
    position: Position,
    /// Keys of the positions since the last capture or pawn's move.
    past: Vec<u64>,
    ply: u32,
    /// White's material less Black's, in pawns.
    balance: i32,
    /// The first moves.
    opening: Vec<Move>,
}

impl Default for Table {
    fn default() -> Self {
        Table {
            scorer: Scorer::new(STYLE),
            frequencies: Frequencies::default(),
            position: Position::default(),
            past: Vec::new(),
            ply: 0,
            balance: 0,
            opening: Vec::with_capacity(OPENING),
        }
    }
}

impl Table {
    /// Plays a game and appends its moves, each followed by a space.
    pub fn play(&mut self, setting: &Setting, random: &mut Random, out: &mut Vec<u8>) -> Ending {
        self.clear();
        let mut clocks = [0; 2].map(|_| Clock::new(setting.control, random));
        let mut line = History::new(&Start::default());
        let mut legal = Legal::new(&self.position);
        loop {
            let side = (self.ply & 1) as usize;
            if let Some(ending) = self.over(&legal) {
                return ending;
            }
            self.scorer.score(&line, &mut self.frequencies);
            let (choice, _, _) = self
                .frequencies
                .find(random.below(self.frequencies.total()));
            let Some(&m) = self.frequencies.moves().get(choice) else {
                return self.stopped(setting, clocks[side], random);
            };
            clocks[side].think(self.ply / 2, random);
            let san = san::write(&legal, m);
            self.push(m);
            line.play(m);
            legal = Legal::new(&self.position);

            let mut word = Word::default();
            self.number(setting.clocks, &mut word);
            word.push(san.padded(), san.as_bytes().len());
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
        }
    }

    /// The first moves of the game played last.
    pub fn opening(&self) -> &[Move] {
        &self.opening
    }

    fn clear(&mut self) {
        self.position = Position::default();
        self.past.clear();
        self.ply = 0;
        self.balance = 0;
        self.opening.clear();
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
        let taken = Bitboard::from_square(m.to()) & self.position.them();
        if taken.any() || pawns.contains(m.from()) {
            let en_passant = pawns.contains(m.from()) && m.from().file() != m.to().file();
            let taken = self.position.role_at(m.to()).filter(|_| taken.any());
            let taken = taken.or(en_passant.then_some(Role::Pawn));
            let gain = taken.map_or(0, |role| WORTH[role as usize])
                + m.promotion().map_or(0, |role| WORTH[role as usize] - 1);
            self.balance += turn.fold_wb(gain, -gain);
            self.past.clear();
        }
        self.position.play(m);
        self.ply += 1;
        if self.opening.len() < OPENING {
            self.opening.push(m);
        }
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

    /// How the position itself ends the game, if it does.
    #[inline]
    fn over(&self, legal: &Legal) -> Option<Ending> {
        let turn = self.position.turn();
        if legal.count() == 0 {
            return Some(Ending::normal(legal.is_check().then_some(!turn)));
        }
        let drawn = self.past.len() > SEVENTY_FIVE_MOVES || self.is_dead();
        drawn.then_some(Ending::normal(None))
    }

    /// How a game ends that people stop, one of them being to move with this clock.
    fn stopped(&self, setting: &Setting, clock: Clock, random: &mut Random) -> Ending {
        let turn = self.position.turn();
        let lost = |loser: Color, termination| Ending {
            winner: Some(!loser),
            termination,
        };
        if self.ply < HARDLY_BEGUN && random.chance(1, 2) {
            return lost(turn, "Abandoned");
        }
        if random.below(100) < clock.haste() {
            // A bare king cannot win.
            let alone = self.position.by_color(!turn).count() == 1;
            return Ending {
                winner: (!alone).then_some(!turn),
                termination: "Time forfeit",
            };
        }
        let ahead = turn.fold_wb(self.balance, -self.balance);
        let claimed = self.past.len() > FIFTY_MOVES || self.is_repetition();
        let level = ahead.abs() <= 1 && self.ply > 50 && random.chance(2, 5);
        if claimed || level {
            return Ending::normal(None);
        }
        // Who is behind gives up; where nobody is, mostly the one to move, who sees what comes,
        // and the weaker more often.
        let [white, black] = setting.ratings;
        let weaker = turn.fold_wb(black - white, white - black).clamp(-400, 400) / 20;
        let percent = match ahead {
            ..-2 => 97,
            3.. => 8,
            _ => (65 + weaker) as u32,
        };
        let loser = if random.chance(percent, 100) {
            turn
        } else {
            !turn
        };
        lost(loser, "Normal")
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
