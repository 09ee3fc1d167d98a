//! Are the moves of real games read and written as shakmaty reads and writes them?
//!
//! Plays the first games of each collection, or all games if `IGN_FULL` is set. Where there are no
//! real games, generated ones of the same kind are played.

use std::ops::ControlFlow;

use ign_notation::chess::{Legal, Position, san};
use ign_testing::{Collection, cases, ours};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, fen::Fen};

/// The number of games of each corpus without `IGN_FULL`.
const SLICE: usize = 3_000;

/// The numbers of games and plies compared.
#[derive(Default, Debug)]
struct Seen {
    games: usize,
    plies: usize,
    /// Games whose FEN is rejected by both.
    unplayable: usize,
    /// Games with a move that is rejected by both.
    illegal: usize,
}

/// One game on both boards.
struct Game {
    mine: Position,
    theirs: Chess,
}

impl Visitor for Seen {
    type Tags = Option<Game>;
    type Movetext = Game;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Game>> {
        self.games += 1;
        ControlFlow::Continue(Some(Game {
            mine: Position::default(),
            theirs: Chess::default(),
        }))
    }

    fn tag(&mut self, game: &mut Option<Game>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let mine = Position::from_fen(&value.decode()).ok();
            let theirs = Fen::from_ascii(&value.decode()).ok().and_then(|fen| {
                Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
                    .or_else(shakmaty::PositionError::ignore_too_much_material)
                    .or_else(shakmaty::PositionError::ignore_impossible_check)
                    .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
                    .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
                    .ok()
            });
            assert_eq!(
                mine.is_some(),
                theirs.is_some(),
                "{:?}",
                value.decode_utf8_lossy()
            );
            *game = mine.zip(theirs).map(|(mine, theirs)| Game { mine, theirs });
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Option<Game>) -> ControlFlow<(), Game> {
        match game {
            Some(game) => ControlFlow::Continue(game),
            None => {
                self.unplayable += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn san(&mut self, game: &mut Game, token: SanPlus) -> ControlFlow<()> {
        let mut buffer = Vec::new();
        token.append_ascii_to(&mut buffer);
        let shown = buffer.escape_ascii();
        let legal = Legal::new(&game.mine);
        let mine = san::resolve(&legal, &buffer);
        let Ok(m) = token.san.to_move(&game.theirs) else {
            // We accept a missing `x` and shakmaty does not; the move must still be legal.
            assert!(mine.is_none_or(|m| legal.contains(m)), "{shown}");
            self.illegal += 1;
            return ControlFlow::Break(());
        };
        assert_eq!(mine, Some(ours(m)), "{shown} in {:?}", game.theirs.board());
        let mine = ours(m);

        assert_eq!(legal.count() as usize, game.theirs.legal_moves().len());
        let (k, count) = legal.ordinal_and_count(mine);
        assert!(k < count);
        assert_eq!(legal.nth(k), mine);
        let written = san::write(&legal, mine);
        let expected = San::from_move(&game.theirs, m).to_string();
        assert_eq!(written.as_bytes().escape_ascii().to_string(), expected);
        game.mine.play(mine);
        game.theirs.play_unchecked(m);
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Game) {}
}

/// Plays a collection.
fn play(name: &str) -> Seen {
    let mut reader = Reader::new(Collection::open(name));
    let games = cases(SLICE, usize::MAX);
    let mut seen = Seen::default();
    while seen.games < games && reader.read_game(&mut seen).unwrap().is_some() {}
    eprintln!("{name}: {seen:?}");
    assert!(seen.plies > 50 * seen.games, "too few plies: {seen:?}");
    seen
}

#[test]
fn lichess_games_agree_with_shakmaty() {
    let seen = play("lichess_2013-01.pgn.zst");
    assert_eq!((seen.unplayable, seen.illegal), (0, 0));
}

#[test]
fn over_the_board_games_agree_with_shakmaty() {
    play("otb_pgnmentor.pgn.zst");
}
