//! One game: its movetext and its ending.
//!
//! Each move is drawn from the move model with the probability that its frequency gives, and so is
//! the end of the game: this is decoding of weighted IGN with random numbers in place of an
//! integer. The model does not predict why a game ends; this module decides it by the position and
//! the clocks. Invariant: the movetext is legal and in standard SAN, and the ending agrees with the
//! position: checkmate, stalemate and dead positions end the game with their results.

use shakmaty::{Bitboard, Color, Role};

use super::clocks::{Clock, TimeControl};
use super::random::{Random, mix};
use super::text::{self, Word};
use ign_format::model::{Frequencies, History, Scorer, Style};
use ign_notation::chess::{Legal, Move, Position, Start, san};

/// The parameters of a game.
#[derive(Debug)]
pub struct Setting<'a> {
    /// The ratings of White and Black.
    pub ratings: [i32; 2],
    /// The time control.
    pub control: &'a TimeControl,
    /// Whether clock comments are written.
    pub clocks: bool,
}

/// The ending of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The value of the `Termination` tag.
    pub termination: &'static str,
}

impl Ending {
    const fn normal(winner: Option<Color>) -> Ending {
        Ending {
            winner,
            termination: "Normal",
        }
    }

    /// The result in PGN.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The score of White in half points.
    pub const fn score(&self) -> i32 {
        match self.winner {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        }
    }
}

/// Plies without a capture or pawn move after which a player can claim a draw, and after which the
/// game is drawn.
const FIFTY_MOVES: usize = 100;
const SEVENTY_FIVE_MOVES: usize = 150;
/// A game that ends before this ply can count as abandoned.
const ABANDONED_BEFORE: u32 = 6;
/// Plies that determine the opening.
const OPENING: usize = 12;
/// The style of the move model: the first, online play.
const STYLE: u8 = 0;
/// The values of pieces in pawns, by role; that of the king is not used.
const PIECE_VALUES: [i32; 7] = [0, 1, 3, 3, 5, 9, 0];

/// Odd factors of a position's hash: for the side to move, then for the roles.
const HASH_FACTORS: [u64; 7] = {
    let mut keys = [0; 7];
    let mut i = 0;
    while i < 7 {
        keys[i] = mix(i as u64 + 1) | 1;
        i += 1;
    }
    keys
};

/// Plays one game after another.
pub struct Board {
    scorer: Scorer,
    frequencies: Frequencies,
    position: Position,
    /// Hashes of the positions since the last capture or pawn move.
    past: Vec<u64>,
    ply: u32,
    /// The material of White minus that of Black, in pawns.
    balance: i32,
    /// The first [`OPENING`] moves.
    opening: Vec<Move>,
}

impl Default for Board {
    fn default() -> Self {
        Board {
            scorer: Scorer::new(Style::builtin(STYLE)),
            frequencies: Frequencies::default(),
            position: Position::default(),
            past: Vec::new(),
            ply: 0,
            balance: 0,
            opening: Vec::with_capacity(OPENING),
        }
    }
}

impl Board {
    /// Plays a game and appends its moves, each followed by a space.
    pub fn play(&mut self, setting: &Setting, random: &mut Random, out: &mut Vec<u8>) -> Ending {
        self.clear();
        let mut clocks = [0; 2].map(|_| Clock::new(setting.control, random));
        let mut line = History::new(&Start::default());
        let mut legal = Legal::new(&self.position);
        loop {
            let side = (self.ply & 1) as usize;
            if let Some(ending) = self.ending_by_rule(&legal) {
                return ending;
            }
            self.scorer.score(&line, &mut self.frequencies);
            let (choice, _, _) = self
                .frequencies
                .find(random.below(self.frequencies.total()));
            let Some(&m) = self.frequencies.moves().get(choice) else {
                return self.ending_by_choice(setting, clocks[side], random);
            };
            clocks[side].think(self.ply / 2, random);
            let san = san::write(&legal, m);
            self.push(m);
            line.play(m);
            legal = Legal::new(&self.position);

            let mut word = Word::default();
            self.push_number(setting.clocks, &mut word);
            word.push(san.padded(), san.as_bytes().len());
            if legal.is_check() {
                word.push(if legal.count() == 0 { b"#" } else { b"+" }, 1);
            }
            word.push(b" ", 1);
            if setting.clocks {
                let time = text::clock(clocks[side].seconds());
                word.push(b"{ [%clk ", 8);
                word.push(&time, 7);
                word.push(b"] } ", 4);
            }
            word.append_to(out);
        }
    }

    /// The first moves of the last game.
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

    /// Appends the move number of the last move, if PGN requires one.
    #[inline]
    fn push_number(&self, clocks: bool, word: &mut Word) {
        let white = self.ply & 1 == 1;
        if white || clocks {
            let (digits, len) = text::small(self.ply.div_ceil(2));
            word.push(&digits, len);
            word.push(b"... ", if white { 0 } else { 2 });
            word.push(b". ", 2);
        }
    }

    /// Plays a move and updates material and repetition.
    #[inline]
    fn push(&mut self, m: Move) {
        let turn = self.position.turn();
        let pawns = self.position.by_role(Role::Pawn);
        let captured = Bitboard::from_square(m.to()) & self.position.them();
        if captured.any() || pawns.contains(m.from()) {
            let en_passant = pawns.contains(m.from()) && m.from().file() != m.to().file();
            let captured = self
                .position
                .role_at(m.to())
                .filter(|_| captured.any())
                .or(en_passant.then_some(Role::Pawn));
            let gain = captured.map_or(0, |role| PIECE_VALUES[role as usize])
                + m.promotion()
                    .map_or(0, |role| PIECE_VALUES[role as usize] - 1);
            self.balance += turn.fold_wb(gain, -gain);
            self.past.clear();
        }
        self.position.play(m);
        self.ply += 1;
        if self.opening.len() < OPENING {
            self.opening.push(m);
        }
        self.past.push(self.hash());
    }

    /// A hash of the position without castling and en passant rights. Repetitions that differ in
    /// those rights count: players can agree to a draw in them too.
    #[inline]
    fn hash(&self) -> u64 {
        // The products are independent of each other. Folding brings down the high bits, which a
        // product only shifts out.
        let fold = |squares: Bitboard| squares.0 ^ squares.0 >> 32;
        Role::ALL
            .iter()
            .map(|&role| {
                fold(self.position.by_role(role)).wrapping_mul(HASH_FACTORS[role as usize])
            })
            .fold(
                fold(self.position.us()).wrapping_mul(HASH_FACTORS[0]),
                u64::wrapping_add,
            )
    }

    /// The ending if the rules end the game in this position.
    #[inline]
    fn ending_by_rule(&self, legal: &Legal) -> Option<Ending> {
        let turn = self.position.turn();
        if legal.count() == 0 {
            return Some(Ending::normal(legal.is_check().then_some(!turn)));
        }
        let drawn = self.past.len() > SEVENTY_FIVE_MOVES || self.is_dead();
        drawn.then_some(Ending::normal(None))
    }

    /// The ending of a game that the players stop, the side to move having this clock.
    fn ending_by_choice(&self, setting: &Setting, clock: Clock, random: &mut Random) -> Ending {
        let turn = self.position.turn();
        let lost = |loser: Color, termination| Ending {
            winner: Some(!loser),
            termination,
        };
        if self.ply < ABANDONED_BEFORE && random.chance(1, 2) {
            return lost(turn, "Abandoned");
        }
        if random.below(100) < clock.pressure() {
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
        // The side with less material resigns. If it is about equal, mostly the side to move does,
        // and the lower-rated player more often.
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

    /// Whether the position occurs for the third time.
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

    /// Whether neither side has enough material to mate.
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
