//! Comment model: codes the comments of one record after the other, in both directions
//! (spec §4.5.1, §4.5.2).
//!
//! For each comment it codes the template, then the fields. The template is predicted from the
//! comment's slot in the gap and the template of the comment before it; the prediction nearly
//! always holds. Numbers are coded by their [`series`](super::series), moves by a dictionary.

use rustc_hash::FxHashMap;

use super::{
    Networks,
    context::{FieldContext, GamePoint},
    formats::{CLOCK, NUMBER},
    glyph::Glyph,
    move_features::MoveFeatures,
    numbers::{NumberModel, SHARED_FIELDS},
    scan::{Scan, WORD},
    strings::{Dictionary, Strings},
    time_control::TimeControl,
};
use crate::{
    container::MAX_PLIES,
    error::{Error, Result},
    pgn::{
        gaps::Templates,
        layout::{Layout, LayoutModel},
    },
};
use ign_entropy::adaptive::{Bit, Coder, Decoder, Encoder};

/// The record that comments belong to.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The record's layout.
    pub layout: &'a Layout,
    /// Predicts the gaps that the layout does not store.
    pub model: &'a LayoutModel,
    /// The gap templates of the block.
    pub gaps: &'a Templates,
    /// The game's time control.
    pub control: TimeControl,
    /// Features of the game's moves, if the comments are predicted from them.
    pub moves: Option<&'a [MoveFeatures]>,
}

/// Context of a comment.
#[derive(Clone, Copy)]
struct CommentContext<'a> {
    /// Number of the comment's slot: its gap template and its place in that.
    slot: u32,
    /// Template of the comment before it in the record.
    before: Option<u32>,
    point: GamePoint<'a>,
    glyph: Glyph,
}

/// The last template in a context, and whether it recurs.
#[derive(Debug, Clone, Default)]
struct TemplatePrediction {
    template: u32,
    recurs: [Bit; 4],
    /// Whether the last two predictions held, as two bits.
    hits: usize,
}

/// Model of the comments of a block.
#[derive(Debug, Clone)]
pub struct CommentModel {
    /// Whether the game goes on to its next gap with comments, if moves are not known.
    more: Bit,
    /// Slots by gap template and place in that.
    slots: FxHashMap<(u32, u32), u32>,
    /// Predictions by slot and template before.
    predictions: FxHashMap<(u32, u32), TemplatePrediction>,
    templates: Dictionary,
    /// For each template the first of its fields; `None` until it has been used. Until then it has
    /// the shared fields.
    fields: Vec<Option<u32>>,
    words: Dictionary,
    numbers: NumberModel,
    /// The parsed comment.
    scan: Scan,
}

impl CommentModel {
    /// An empty model with these networks.
    pub fn new(networks: Networks) -> Self {
        Self {
            more: Bit::default(),
            slots: FxHashMap::default(),
            predictions: FxHashMap::default(),
            templates: Dictionary::default(),
            fields: Vec::new(),
            words: Dictionary::default(),
            numbers: NumberModel::new(networks),
            scan: Scan::default(),
        }
    }

    /// Whether any value was predicted from a game's time control.
    pub fn uses_time_control(&self) -> bool {
        self.numbers.uses_time_control()
    }

    /// Encodes the comments of a record with this many plies, each followed by `}`.
    ///
    /// # Errors
    /// Only if the model rejects its input.
    pub fn encode(
        &mut self,
        coder: &mut Encoder,
        strings: &mut Vec<u8>,
        record: Record,
        comments: &[u8],
        plies: usize,
    ) -> Result<()> {
        let given = Some((comments, plies));
        self.code(coder, strings, record, given, None, usize::MAX)
    }

    /// Decodes the comments of a record and appends them to `out`, each followed by `}`.
    ///
    /// # Errors
    /// Returns a corruption error if the input is malformed or `out` exceeds `max_len` bytes.
    pub fn decode(
        &mut self,
        coder: &mut Decoder,
        strings: &mut &[u8],
        record: Record,
        out: &mut Vec<u8>,
        max_len: usize,
    ) -> Result<()> {
        self.code(coder, strings, record, None, Some(out), max_len)
    }

    /// Decodes the comments of a record only to adapt the model.
    ///
    /// # Errors
    /// Returns a corruption error if the input is malformed.
    pub fn skip(&mut self, coder: &mut Decoder, strings: &mut &[u8], record: Record) -> Result<()> {
        self.code(coder, strings, record, None, None, usize::MAX)
    }

    /// Codes the comments of a record, which are `given`, or appended to `out`.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        record: Record,
        mut given: Option<(&[u8], usize)>,
        mut out: Option<&mut Vec<u8>>,
        max_len: usize,
    ) -> Result<()> {
        self.numbers.begin(record.control);
        let moves = record.moves.unwrap_or_default();
        let (mut gap, mut before) = (None, None);
        // Number of gaps since the last one with a comment.
        let mut without = 0;
        for ply in 0.. {
            let more = given.is_some_and(|(_, plies)| ply < plies);
            let next = self.next_gap(coder, &record, ply, gap, &mut without, more);
            let here = next.unwrap_or(record.layout.last);
            let glyph = Glyph::of_gap(record.gaps.get(here));
            for i in 0..record.gaps.comments(here) {
                let context = CommentContext {
                    slot: self.slot(here, i),
                    before,
                    point: GamePoint { ply, moves },
                    glyph,
                };
                let template = self.code_comment(coder, strings, context, &mut given, &mut out)?;
                before = Some(template);
                if out.as_ref().is_some_and(|out| out.len() > max_len) {
                    return Err(Error::corrupt("the comments of a block are too long"));
                }
            }
            if next.is_none() {
                break;
            }
            gap = next;
        }
        Ok(())
    }

    /// The gap before the move at a ply; `None` after the last move. If the moves are not known,
    /// the end of the game is coded where a comment is predicted.
    fn next_gap(
        &mut self,
        coder: &mut impl Coder,
        record: &Record,
        ply: usize,
        before: Option<u32>,
        without: &mut usize,
        more: bool,
    ) -> Option<u32> {
        if record.moves.is_some_and(|moves| ply == moves.len()) {
            return None;
        }
        // Without a predicted gap the game has ended.
        let next = record.model.gap(record.layout, ply, before).ok()?;
        if record.moves.is_some() {
            return Some(next);
        }
        // Predicted gaps repeat in a cycle. A cycle without comments would never end.
        if ply > MAX_PLIES || *without > 2 * record.model.template_count() as usize + 2 {
            return None;
        }
        let is_stored = ply < record.layout.stored_gaps;
        let has_comments = record.gaps.comments(next) > 0;
        *without = if is_stored || has_comments {
            0
        } else {
            *without + 1
        };
        let is_coded = has_comments && !is_stored;
        (!is_coded || coder.bit(&mut self.more, more)).then_some(next)
    }

    fn slot(&mut self, gap: u32, comment: u32) -> u32 {
        let next = self.slots.len() as u32;
        *self.slots.entry((gap, comment)).or_insert(next)
    }

    /// Codes a comment and returns its template.
    fn code_comment(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        context: CommentContext,
        given: &mut Option<(&[u8], usize)>,
        out: &mut Option<&mut Vec<u8>>,
    ) -> Result<u32> {
        let mut scan = std::mem::take(&mut self.scan);
        let mut comment = &b""[..];
        let mut wanted = 0;
        if let Some((comments, _)) = given {
            let len = memchr::memchr(b'}', comments).unwrap_or(comments.len());
            comment = &comments[..len];
            *comments = comments.get(len + 1..).unwrap_or_default();
            scan.read(comment);
            wanted = self.templates.find(&scan.template);
        }
        let template = self.code_template(coder, strings, context, &scan.template, wanted)?;
        let text = self.templates.take(template);
        let first_field = self.fields[template as usize];
        let mut fields = scan.fields.iter();
        let mut numbers = 0;
        let mut done = 0;
        let is_mark = |byte: &u8| matches!(*byte, CLOCK | NUMBER | WORD);
        while let Some(len) = text[done..].iter().position(is_mark) {
            let at = done + len;
            append(out, &text[done..at]);
            done = at + 1;
            let mark = text[at];
            let field = fields.next();
            let given = field.map(|field| &comment[field.range.clone()]);
            if mark == WORD {
                let word = given.unwrap_or_default();
                let wanted = self.words.find(word);
                let word = self.words.code(coder, strings, word, wanted)?;
                append(out, self.words.get(word));
            } else {
                let field_context = FieldContext {
                    slot: context.slot,
                    field: first_field.unwrap_or(0) + numbers.min(SHARED_FIELDS - 1),
                    point: context.point,
                    glyph: context.glyph,
                    is_evaluation: text[..at].ends_with(b"[%eval ")
                        || text[..at].ends_with("→ ".as_bytes()),
                };
                let around = (&text[..at], text.get(at + 1).copied());
                let given = field.zip(given);
                self.numbers
                    .code(coder, mark, around, field_context, given, out)?;
                numbers += 1;
            }
        }
        append(out, &text[done..]);
        self.scan = scan;
        self.templates.put_back(template, text);
        if first_field.is_none() {
            self.fields[template as usize] = Some(self.numbers.allocate(numbers));
        }
        append(out, b"}");
        Ok(template)
    }

    /// Codes the template of a comment; `wanted` is the number of the one given.
    fn code_template(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        context: CommentContext,
        given: &[u8],
        wanted: u32,
    ) -> Result<u32> {
        let key = (context.slot, context.before.map_or(0, |before| before + 1));
        if let Some(prediction) = self.predictions.get_mut(&key) {
            let recurs = &mut prediction.recurs[prediction.hits];
            let hit = coder.bit(recurs, prediction.template == wanted);
            prediction.hits = (prediction.hits << 1 | usize::from(hit)) & 3;
            if hit {
                return Ok(prediction.template);
            }
        }
        let template = self.templates.code(coder, strings, given, wanted)?;
        if template as usize == self.fields.len() {
            self.fields.push(None);
        }
        self.predictions.entry(key).or_default().template = template;
        Ok(template)
    }
}

/// Appends bytes to the output of an unpacker that needs them.
fn append(out: &mut Option<&mut Vec<u8>>, bytes: &[u8]) {
    if let Some(out) = out {
        out.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::comments::fixtures::{adapted_model, layout};

    /// Packs and unpacks the comments of games, one before each move; returns the number of bytes
    /// of codes and of strings.
    fn round_trip(games: &[Vec<String>], control: &str, by_moves: bool) -> (usize, usize) {
        let moves = vec![MoveFeatures::default(); 100];
        let (model, gaps) = adapted_model();
        let layout = layout(0);
        let record = |game: &Vec<String>| Record {
            layout: &layout,
            model: &model,
            gaps: &gaps,
            control: TimeControl::of_tag(Some(control.as_bytes())),
            moves: by_moves.then(|| &moves[..game.len()]),
        };
        let joined = |game: &Vec<String>| {
            let with_ends: String = game.iter().map(|c| format!("{c}}}")).collect();
            with_ends.into_bytes()
        };
        let mut coder = Encoder::new();
        let mut strings = Vec::new();
        let mut comments = CommentModel::new(Networks::builtin());
        for game in games {
            let (record, plies) = (record(game), game.len());
            comments
                .encode(&mut coder, &mut strings, record, &joined(game), plies)
                .unwrap();
        }
        let codes = coder.finish();
        let mut coder = Decoder::new(&codes);
        let (mut rest, mut unpacked) = (&strings[..], Vec::new());
        let mut comments = CommentModel::new(Networks::builtin());
        for game in games {
            unpacked.clear();
            comments
                .decode(&mut coder, &mut rest, record(game), &mut unpacked, 1 << 20)
                .unwrap();
            assert_eq!(unpacked, joined(game));
        }
        assert!(rest.is_empty());
        (codes.len(), strings.len())
    }

    #[test]
    fn round_trips_comments_of_every_kind() {
        let games: Vec<Vec<String>> = [
            &["[%clk 0:03:00]", "[%clk 0:02:58.7]", "[%clk 0:02:59]"][..],
            &["+0.35/12 1.2s", "-M3/40 0.41s", "Kg6", "", "a\nb", "7"],
            &[
                "[%eval #-3] 1-0",
                "[%clk 9999999:00:59]",
                "[%clk 0:00:00.123]",
            ],
            &[
                "999999999.999 -999999999",
                "12:34 00:00:07",
                "Mistake. Nbxd7+ was best.",
            ],
            &[],
        ]
        .iter()
        .map(|game| game.iter().map(ToString::to_string).collect())
        .collect();
        for by_moves in [false, true] {
            round_trip(&games, "180+2", by_moves);
            round_trip(&games, "1/259200", by_moves);
        }
    }

    #[test]
    fn regular_clocks_take_a_fraction_of_a_bit() {
        let game = |start: i64| -> Vec<String> {
            let clock =
                |i: i64| format!("[%clk 0:{:02}:{:02}]", (start - i) / 60, (start - i) % 60);
            (0..80).map(|i| clock(i / 2 * 3)).collect()
        };
        let games: Vec<_> = (0..50).map(|_| game(300)).collect();
        let (codes, strings) = round_trip(&games, "300+0", false);
        assert!(codes < 400, "{codes} bytes for 4000 clocks");
        assert_eq!(strings, "[%clk C]}".len());
    }

    #[test]
    fn templates_seen_once_share_fields() {
        let games: Vec<Vec<String>> = (0..40)
            .map(|i| {
                (0..50)
                    .map(|j| format!("t{}x {j} {}", i * 50 + j, j * j))
                    .collect()
            })
            .collect();
        // The digits after the t are not a field, so every template is new.
        let (_, strings) = round_trip(&games, "", true);
        assert!(strings > 2000 * 6);
    }

    #[test]
    fn decodes_arbitrary_bytes_without_panic() {
        let (model, gaps) = adapted_model();
        let layout = layout(0);
        let moves = [MoveFeatures::default(); 30];
        let mut errors = 0;
        for seed in 0..2000u32 {
            let noise = |i: u32| (seed.wrapping_mul(2_654_435_761).rotate_left(i) >> 5) as u8;
            let codes: Vec<u8> = (0..60).map(noise).collect();
            let mut strings = &b"[%clk \x01]}\x02 \x02s\x03}Nf3}\x01}"[..];
            let mut comments = CommentModel::new(Networks::builtin());
            let mut coder = Decoder::new(&codes);
            for _ in 0..20 {
                let record = Record {
                    layout: &layout,
                    model: &model,
                    gaps: &gaps,
                    control: TimeControl::of_tag(Some(b"60+1")),
                    moves: (seed % 2 == 0).then_some(&moves[..]),
                };
                let mut out = Vec::new();
                let result = comments.decode(&mut coder, &mut strings, record, &mut out, 10_000);
                assert!(out.len() < 20_000);
                if result.is_err() {
                    errors += 1;
                    break;
                }
            }
        }
        assert!(errors > 500, "{errors}");
    }
}
