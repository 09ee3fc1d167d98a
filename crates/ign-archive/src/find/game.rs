//! What it means that a game matches a query: the plain definition, over one [`Game`].

use ign_format::{
    block::{Kind as GameKind, moves::GameMoves, starts::is_standard},
    error::Result,
};
use ign_notation::chess::repetition::{Claimable, Watch};

use crate::{
    game::Game,
    plan::{Contents, LastSeen, Plan, Progress, Replay},
    query::Query,
    values::{Comparison, Termination},
};

impl Query {
    /// Whether a game meets every condition that is set. Parts of the game that no condition needs
    /// are not decoded. [`Archive::find`](crate::Archive::find) does the same for all games of an
    /// archive, much faster.
    ///
    /// # Errors
    /// As [`Game::moves`] and [`Game::visit`].
    pub fn matches(&self, game: &Game) -> Result<bool> {
        self.plan().matches(game)
    }

    /// The first ply after which a position of a game meets the conditions on positions; 0 is the
    /// starting position. `None` if no position does, or if there is no condition on positions. Of
    /// several positions in a row ([`lasting`](Self::lasting)) it is the first one;
    /// [`later`](Self::later) ones are not considered.
    ///
    /// # Errors
    /// As [`Game::moves`].
    pub fn first_position(&self, game: &Game) -> Result<Option<usize>> {
        let (Some(start), moves) = game.start_and_moves()? else {
            return Ok(None);
        };
        let positions = self.plan().replay.positions;
        if positions.is_empty() {
            return Ok(None);
        }
        let (mut ply, mut found) = (0_usize, None);
        let mut progress = Progress::default();
        let lasting = positions.first.lasting.max(1) as usize;
        GameMoves::of_list(moves).play_through(start, |legal, played| {
            ply += 1;
            if found.is_none() {
                progress.see(&positions, &legal.board(), played.is_none());
                found = progress.has_first().then(|| ply.saturating_sub(lasting));
            }
        })?;
        Ok(found)
    }
}

impl Plan<'_> {
    fn matches(&self, game: &Game) -> Result<bool> {
        Ok(self.matches_file(game)
            && self.matches_signature(game)?
            && self.matches_tags(game)?
            && self.matches_result(game)?
            && self.matches_moves(game)?
            && self.matches_ending(game)?
            && self.matches_understanding(game)?
            && self.matches_comments(game)?
            && !self.is_excluded(game)?)
    }

    fn is_excluded(&self, game: &Game) -> Result<bool> {
        for query in &self.excluded {
            if query.matches(game)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn matches_file(&self, game: &Game) -> bool {
        self.file
            .is_none_or(|pattern| pattern.matches(game.source()))
    }

    fn matches_signature(&self, game: &Game) -> Result<bool> {
        let Some(wanted) = self.signature else {
            return Ok(true);
        };
        let squares = game.signature()?;
        let mut pairs = wanted.iter().zip(&squares);
        Ok(pairs.all(|(wanted, square)| wanted.is_none() || wanted == square))
    }

    fn matches_tags(&self, game: &Game) -> Result<bool> {
        for condition in &self.tags {
            let values = condition.tags.iter().map(|tag| game.tag_bytes(tag));
            if !condition.holds(&values.collect::<Result<Vec<_>>>()?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_result(&self, game: &Game) -> Result<bool> {
        let Some(wanted) = self.results else {
            return Ok(true);
        };
        let result = game.game_result()?;
        Ok(result.is_some_and(|result| wanted.contains(&result)))
    }

    fn matches_moves(&self, game: &Game) -> Result<bool> {
        let Replay {
            plies,
            positions,
            like,
            draws,
        } = &self.replay;
        if self.opening.is_none() && self.replay.is_empty() {
            return Ok(true);
        }
        let (start, moves) = game.start_and_moves()?;
        if plies.is_some_and(|plies| !plies.contains(&(moves.len() as u32))) {
            return Ok(false);
        }
        let has_positions = !positions.is_empty();
        let Some(start) = start else {
            return Ok(self.opening.is_none()
                && like.is_none()
                && draws.matches(Claimable::default())
                && !has_positions);
        };
        if let Some(opening) = self.opening
            && !(is_standard(start) && moves.starts_with(opening.moves()))
        {
            return Ok(false);
        }
        let mut like = like.map(Comparison::new);
        let mut watch = Watch::default();
        watch.begin(start.halfmoves());
        let mut meets_position = !has_positions;
        let mut progress = Progress::default();
        GameMoves::of_list(moves).play_through(start, |legal, played| {
            let position = legal.board();
            if has_positions {
                meets_position |= progress.see(positions, &position, played.is_none());
            }
            if self.replay.has_draws() {
                watch.see(legal, played);
            }
            if let (Some(like), Some(played)) = (&mut like, played) {
                like.add(&position, played);
            }
        })?;
        let seen = watch.finish();
        Ok(meets_position && like.is_none_or(|like| like.matches()) && draws.matches(seen))
    }

    fn matches_ending(&self, game: &Game) -> Result<bool> {
        let Some(wanted) = self.endings else {
            return Ok(true);
        };
        let tag = game.tag_bytes("Termination")?;
        let termination = tag.map(Termination::read).unwrap_or_default();
        let (start, moves) = game.start_and_moves()?;
        let mut end = LastSeen::new(true);
        if let Some(start) = start {
            end.begin(start);
            GameMoves::of_list(moves)
                .play_through(start, |legal, played| end.see(legal, played))?;
        }
        let ending = termination.ending(game.game_result()?, end.last());
        Ok(ending.is_some_and(|ending| wanted.contains(&ending)))
    }

    fn matches_understanding(&self, game: &Game) -> Result<bool> {
        Ok(match self.not_understood {
            None => true,
            Some(wanted) => game.not_understood()?.is_some() == wanted,
        })
    }

    fn matches_comments(&self, game: &Game) -> Result<bool> {
        let wanted = self.comments;
        Ok(wanted.is_empty()
            || wanted.matches(match game.kind()? {
                GameKind::Chess => Contents::of_record(game.pgn()?, wanted),
                _ => Contents::default(),
            }))
    }
}
