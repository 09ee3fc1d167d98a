//! Is everything that is whole of a damaged archive recovered, and never a wrong game?

use std::{fs::File, io::Read as _, ops::Range, path::Path};

use ign_archive::{
    Appender, Archive, Coding, Error, Input, Merger, ModelFile, Packer, Recoverer, Result,
    check::{self, Depth, Place, Verifier},
    recover::{Method, Recovered},
};
use ign_format::{
    block::{decode::Block, encode_model},
    columns::name_model::NameNetwork,
    container::{index::BlockEntry, stream::Stream},
    models::Architecture as _,
};
use ign_testing::{Collection, cases, commented, games};

/// An archive, the texts of its blocks, and where they are.
struct Whole {
    bytes: Vec<u8>,
    texts: Vec<Vec<u8>>,
    places: Vec<Range<usize>>,
    games: Vec<u64>,
}

impl Whole {
    fn new(text: &[u8], coding: Coding) -> Self {
        let input = Input::reader("a.pgn", std::io::Cursor::new(text.to_vec()));
        let packer = Packer::new().coding(coding).block_size(1 << 12);
        Self::of(packer.pack([input], Vec::new()).unwrap().0, text)
    }

    fn of(bytes: Vec<u8>, text: &[u8]) -> Self {
        let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
        let (mut texts, mut places, mut games) = (Vec::new(), Vec::new(), Vec::new());
        for block in archive.blocks() {
            let from = block.text_offset as usize;
            texts.push(text[from..from + block.text_len as usize].to_vec());
            places.push(block.offset as usize..(block.offset + block.stored_len) as usize);
            games.push(block.games);
        }
        assert!(texts.len() > 2, "{} blocks", texts.len());
        Self {
            bytes,
            texts,
            places,
            games,
        }
    }

    /// Of each kind: integers, weighted games, Go, and text that holds no games.
    fn of_each_kind() -> Vec<Self> {
        let games = commented(&games(20));
        vec![
            Self::new(&games, Coding::Ign),
            Self::new(&games, Coding::Weighted),
            Self::new(&go(), Coding::Ign),
            Self::new(&prose(), Coding::Weighted),
        ]
    }

    /// The text without some blocks.
    fn without(&self, lost: &[usize]) -> Vec<u8> {
        let texts = self.texts.iter().enumerate();
        let left = texts.filter(|(block, _)| !lost.contains(block));
        left.flat_map(|(_, text)| text.clone()).collect()
    }

    /// The block that holds a byte of the file.
    fn block_of(&self, byte: usize) -> Option<usize> {
        self.places.iter().position(|place| place.contains(&byte))
    }
}

/// Where the table of blocks starts.
pub fn table_offset(archive: &Archive) -> usize {
    let structure = archive.structure(|_, _| Ok(())).unwrap();
    (archive.file_len() - structure.footer_len - structure.block_table_len) as usize
}

fn go() -> Vec<u8> {
    let game = |n: usize| {
        let comment = "a quiet move in the corner ".repeat(12 + n * 7 % 23);
        let point = |i: usize| char::from(b'a' + ((i * 7 + n) % 19) as u8);
        let moves: String = (0..60)
            .map(|i| {
                format!(
                    ";{}[{}{}]",
                    ["B", "W"][i % 2],
                    point(i),
                    point(i / 19 * 3 + i)
                )
            })
            .collect();
        format!("(;GM[1]SZ[19]PB[Ann {n}]PW[Ben]RE[B+R]C[{comment}]{moves})\n\n")
    };
    (0..20).map(game).collect::<String>().into_bytes()
}

fn prose() -> Vec<u8> {
    let line = |n: usize| format!("Line {n} of {} words that are no game.\n\n", n * n % 1013);
    (0..600).map(line).collect::<String>().into_bytes()
}

/// Recovers bytes in memory.
fn recovered(bytes: &[u8]) -> Result<(Recovered, Vec<u8>)> {
    let out = tempfile::tempfile().unwrap();
    let report = Recoverer::new()
        .threads(1)
        .recover(&bytes.to_vec(), "bad.ign", &out)?;
    Ok((report, content(out)))
}

fn content(mut file: File) -> Vec<u8> {
    use std::io::Seek;
    file.rewind().unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn text_of(archive: &[u8]) -> Vec<u8> {
    let archive = Archive::from_read_at(archive.to_vec(), "good.ign").unwrap();
    archive.verify().unwrap();
    let mut text = Vec::new();
    archive.unpack(&mut text).unwrap();
    text
}

/// Checks what is recovered when these blocks are damaged. Returns whether they came without some
/// columns.
#[track_caller]
fn assert_recovered(whole: &Whole, bytes: &[u8], damaged: &[usize], what: &str) -> bool {
    let (report, out) = recovered(bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    let text = text_of(&out);
    let count: u64 = whole.games.iter().sum();
    if report.is_complete() && text == whole.without(&[]) {
        // The text does not depend on what is damaged.
        assert_eq!(report.games, count, "{what}");
        return false;
    }
    if report.reduced.is_empty() {
        assert!(text == whole.without(damaged), "{what}: {report:?}");
        let lost: u64 = damaged.iter().map(|&block| whole.games[block]).sum();
        assert_eq!(report.games, count - lost, "{what}");
        return false;
    }
    // The games of the other blocks are there to the byte, and none more.
    assert_eq!(report.reduced.len(), 1, "{what}");
    let block = report.reduced[0].block.unwrap() as usize - 1;
    assert_eq!(damaged, [block], "{what}");
    let before: usize = whole.texts[..block].iter().map(Vec::len).sum();
    let after: usize = whole.texts[block + 1..].iter().map(Vec::len).sum();
    let all = whole.without(&[]);
    assert!(text[..before] == all[..before], "{what}");
    assert!(
        text[text.len() - after..] == all[all.len() - after..],
        "{what}"
    );
    assert_eq!(report.games, count, "{what}");
    assert_same_moves(&all, &text);
    true
}

/// The games have the same moves.
fn assert_same_moves(one: &[u8], other: &[u8]) {
    let moves = |text: &[u8]| {
        let input = Input::reader("a", std::io::Cursor::new(text.to_vec()));
        let (bytes, _) = Packer::new()
            .coding(Coding::Ign)
            .pack([input], Vec::new())
            .unwrap();
        let archive = Archive::from_read_at(bytes, "a").unwrap();
        let games = archive.games().map(|game| game.unwrap().san().unwrap());
        games.collect::<Vec<_>>()
    };
    assert_eq!(moves(one), moves(other));
}

#[test]
fn whole_archives_come_back_to_the_byte() {
    for whole in Whole::of_each_kind() {
        let (report, out) = recovered(&whole.bytes).unwrap();
        assert!(report.is_complete(), "{report:?}");
        assert!(out == whole.bytes);
    }
}

#[test]
fn a_flipped_byte_loses_at_most_its_block() {
    let mut reduced = 0;
    for (kind, whole) in Whole::of_each_kind().into_iter().enumerate() {
        for at in (0..whole.bytes.len()).step_by(cases(97, 23)) {
            let mut bad = whole.bytes.clone();
            bad[at] ^= 1 << (at % 8);
            let damaged: Vec<usize> = whole.block_of(at).into_iter().collect();
            let what = format!("kind {kind}, byte {at}");
            reduced += u64::from(assert_recovered(&whole, &bad, &damaged, &what));
        }
    }
    assert!(reduced > 0, "no block came without its comments");
}

/// The tag lines of a game and its movetext.
fn parts(game: &str) -> (Vec<&str>, &str) {
    let (tags, movetext) = game.split_once("\n\n").unwrap_or((game, ""));
    (tags.lines().collect(), movetext)
}

/// The words of movetext; without its comments, without its variations.
fn words(movetext: &str, no_comments: bool, no_variations: bool) -> Vec<String> {
    let (mut depth, mut in_comment, mut out) = (0, false, String::new());
    for c in movetext.chars() {
        depth += usize::from(c == '(' && !in_comment);
        in_comment |= c == '{';
        let is_left_out = no_variations && depth > 0 || no_comments && in_comment && depth == 0;
        if !is_left_out {
            out.push(c);
        }
        depth -= usize::from(c == ')' && !in_comment);
        in_comment &= c != '}';
    }
    out.split_whitespace().map(str::to_owned).collect()
}

/// Damages each column of the first block in turn. All that is in other columns must come back,
/// except what the report names. Returns the names of the columns, each with those that are lost
/// with it, and whether the games are.
#[track_caller]
fn without_each_column(
    text: &[u8],
    coding: Coding,
    block_size: usize,
) -> Vec<(String, Vec<String>, bool)> {
    let input = Input::reader("a.pgn", std::io::Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding).block_size(block_size);
    let bytes = packer.pack([input], Vec::new()).unwrap().0;
    let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
    let entry = archive.blocks()[0];
    let block = archive.block_bytes(0).unwrap();
    let block = Block::open(&block).unwrap();
    let head = block.head();
    let mut columns = Vec::new();
    for (place, column) in head.columns.iter().enumerate() {
        let len: usize = column.streams.iter().map(Stream::frame_len).sum();
        if len == 0 {
            continue;
        }
        let name = block.column_name(column);
        let at = entry.offset + entry.head_len + head.frames(place).start as u64;
        let mut bad = bytes.clone();
        bad[at as usize + len / 2] ^= 1;
        let (report, out) = recovered(&bad).unwrap_or_else(|e| panic!("{name}: {e}"));
        if !report.lost.is_empty() {
            assert_eq!(report.lost[0].columns, [&name[..]]);
            columns.push((name, Vec::new(), true));
            continue;
        }
        assert_eq!(report.games, archive.len(), "{name}");
        let good = Archive::from_read_at(out, "good.ign").unwrap();
        good.verify().unwrap();
        let lost_with = report
            .reduced
            .first()
            .map(|reduced| reduced.lost_with.clone());
        let mut lost = lost_with.clone().unwrap_or_default();
        // Nothing is lost if the text does not depend on the column.
        if let Some(reduced) = report.reduced.first() {
            assert_eq!(reduced.columns, [&name[..]]);
            assert_eq!(reduced.block, Some(1));
            lost.push(name.clone());
        }
        let tags: Vec<&str> = lost.iter().flat_map(|column| column.split('+')).collect();
        let is_lost = |line: &&str| {
            let name = line.trim_start_matches('[').split(' ').next();
            name.is_some_and(|name| tags.contains(&name))
        };
        let in_movetext = [
            "layout",
            "comments",
            "variations",
            "text",
            "Result",
            "ECO",
            "Opening",
        ];
        let is_in = |column: &&str| tags.contains(column);
        let is_whole = !in_movetext.iter().any(is_in);
        for game in 1..=archive.len() {
            let text = |archive: &Archive| {
                String::from_utf8(archive.game(game).unwrap().pgn().unwrap().to_vec()).unwrap()
            };
            let (before, after) = (text(&archive), text(&good));
            let (mut expected, movetext) = parts(&before);
            expected.retain(|line| !is_lost(line));
            let (found, found_movetext) = parts(&after);
            assert_eq!(found, expected, "{name}, game {game}");
            if is_whole {
                assert_eq!(found_movetext, movetext, "{name}, game {game}");
            } else if !["Result", "ECO", "Opening", "text", "layout"]
                .iter()
                .any(is_in)
            {
                let lost = (is_in(&"comments"), is_in(&"variations"));
                let of = |movetext| words(movetext, lost.0, lost.1);
                let (found, expected) = (of(found_movetext), of(movetext));
                assert_eq!(found.len(), expected.len(), "{name}, game {game}");
                for (found, expected) in found.into_iter().zip(expected) {
                    // A comment may repeat a move of a variation.
                    let is_unknown = is_in(&"variations") && found == "--";
                    assert!(
                        is_unknown || found == expected,
                        "{name}, game {game}: {found}"
                    );
                }
            }
        }
        columns.push((name, lost_with.unwrap_or_default(), false));
    }
    columns
}

/// The games of a block have more tags than these, comments with clocks, variations and text.
fn annotated() -> Vec<u8> {
    let games = String::from_utf8(games(60)).unwrap();
    let mut number = 0;
    let lines = games.split_inclusive('\n').map(|line| {
        if !line.starts_with("1. ") {
            return line.to_owned();
        }
        number += 1;
        let clock = format!(
            "{{ [%clk 0:{:02}:{:02}] }}",
            9 - number % 7,
            number * 37 % 60
        );
        let numbers = (0..20).map(|i| (number * 7919 + i * i * 104_729) % 100_003);
        let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
        let comment = numbers.join(" ");
        let variation = format!("(1. c4 {{{comment}}} c5 2. g3) (1. Na3 e5 {number}x? foo)");
        let mut words: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
        words.insert(2, format!("{clock} {{{comment}}} {variation}"));
        if number % 3 == 0 {
            words.insert(3, format!("bad{number}text"));
        }
        words.join(" ") + "\n"
    });
    lines.collect::<String>().into_bytes()
}

#[test]
fn without_a_column_all_others_come_back() {
    for coding in [Coding::Ign, Coding::Weighted] {
        let columns = without_each_column(&annotated(), coding, 1 << 20);
        let mut names: Vec<&str> = columns.iter().map(|(name, ..)| &name[..]).collect();
        names.sort_unstable();
        for name in ["comments", "moves", "variations"] {
            assert!(names.contains(&name), "no frame of {name}: {names:?}");
        }
        for (name, lost_with, is_all_lost) in &columns {
            let needed = ["schemas", "moves"].contains(&&name[..])
                || name == "signatures" && coding == Coding::Weighted;
            assert_eq!(*is_all_lost, needed, "{name}");
            if ["comments", "variations", "text"].contains(&&name[..]) {
                assert!(lost_with.is_empty(), "{name}: {lost_with:?}");
            }
        }
    }
}

#[test]
fn without_a_column_all_others_of_real_games_come_back() {
    for (file, len) in [
        ("lichess_users_clk.pgn.zst", 400_000),
        ("lichess_2013-01.pgn.zst", 200_000),
    ] {
        let text = Collection::open(file).first_bytes(len);
        let games = memchr::memmem::rfind(&text, b"\n[Event ").unwrap() + 1;
        let columns = without_each_column(&text[..games], Coding::Weighted, len as usize);
        let of = |wanted: &str| -> Option<&[String]> {
            let has = |name: &str| name.split('+').any(|name| name == wanted);
            let (_, lost_with, _) = columns.iter().find(|(name, ..)| has(name))?;
            Some(lost_with)
        };
        // The only tag that is predicted from the address of a game.
        assert!(
            of("Site").unwrap().iter().all(|name| name == "GameId"),
            "{file}"
        );
        if let Some(lost) = of("comments") {
            assert!(lost.is_empty(), "{file}: {lost:?}");
        }
        if let Some(lost) = of("White") {
            let has = |name: &str| lost.iter().any(|column| column.contains(name));
            assert!(has("WhiteElo"), "{file}: {lost:?}");
            // The time control may be predicted from the players; then the clocks depend on them.
            if file.contains("clk") {
                assert_eq!(has("TimeControl"), has("comments"), "{lost:?}");
            }
        }
    }
}

#[test]
fn of_a_truncated_archive_every_block_before_the_cut_is_recovered() {
    for (kind, whole) in Whole::of_each_kind().into_iter().enumerate() {
        let step = if kind == 0 {
            cases(29, 5)
        } else {
            cases(211, 41)
        };
        for len in (22..whole.bytes.len()).step_by(step) {
            let cut = whole.places.iter().position(|place| place.end > len);
            let lost = cut.unwrap_or(whole.texts.len());
            let what = format!("kind {kind}, {len} bytes");
            let (report, out) = recovered(&whole.bytes[..len]).unwrap();
            // Of a file that ends in its footer, more may have followed.
            assert!(!report.is_complete(), "{what}: {report:?}");
            let has_index = len >= whole.bytes.len() - ign_format::container::footer::LEN;
            let has_lost = !report.lost.is_empty() || !report.reduced.is_empty();
            assert!(!has_index || !has_lost, "{what}: {report:?}");
            let text = text_of(&out);
            let expected = whole.texts[..lost].concat();
            if report.reduced.is_empty() {
                assert!(text == expected, "{what}")
            } else {
                assert!(text.starts_with(&expected), "{what}")
            }
        }
    }
}

#[test]
fn dropped_duplicated_and_swapped_blocks_are_sorted_out_by_the_index() {
    for (kind, whole) in Whole::of_each_kind().into_iter().enumerate() {
        let part = |block: usize| whole.bytes[whole.places[block].clone()].to_vec();
        let (start, end) = (whole.places[0].start, whole.places.last().unwrap().end);
        let built = |blocks: &[usize]| {
            let blocks: Vec<u8> = blocks.iter().flat_map(|&block| part(block)).collect();
            [&whole.bytes[..start], &blocks, &whole.bytes[end..]].concat()
        };
        let all: Vec<usize> = (0..whole.texts.len()).collect();
        for block in 0..all.len() {
            let mut dropped = all.clone();
            dropped.remove(block);
            let what = format!("kind {kind}, block {block}");
            // The footer states another length of the file, so the index is found by the scan.
            let (report, out) = recovered(&built(&dropped)).unwrap();
            assert!(
                text_of(&out) == whole.without(&[block]),
                "{what} dropped: {report:?}"
            );
            let lost: Vec<_> = report.lost.iter().filter_map(|lost| lost.block).collect();
            assert_eq!(lost, [block as u64 + 1], "{what} dropped");

            let mut twice = all.clone();
            twice.insert(block, block);
            let (report, out) = recovered(&built(&twice)).unwrap();
            assert!(
                text_of(&out) == whole.without(&[]),
                "{what} twice: {report:?}"
            );

            let mut swapped = all.clone();
            swapped.swap(block, (block + 1) % all.len());
            let (report, out) = recovered(&built(&swapped)).unwrap();
            assert!(
                text_of(&out) == whole.without(&[]),
                "{what} swapped: {report:?}"
            );
        }
    }
}

/// An archive of many short sources with blocks of their own, and two of its blocks that have equal
/// totals and different texts.
fn with_equal_totals() -> (Whole, [usize; 2]) {
    let game = |n: u32| format!("[White \"Ann {n}\"]\n\n1. e4 e5 {{the game {n}}} *\n\n");
    let archives = (0..40).map(|n| {
        let text = std::io::Cursor::new(game(n * 89).into_bytes());
        let (bytes, _) = Packer::new()
            .pack([Input::reader("a.pgn", text)], Vec::new())
            .unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap()
    });
    let archives: Vec<_> = archives.collect();
    let text: String = (0..40).map(|n| game(n * 89)).collect();
    let (bytes, _) = Merger::new().merge(&archives, Vec::new()).unwrap();
    let whole = Whole::of(bytes, text.as_bytes());
    let totals = |block: usize| (whole.places[block].len(), whole.texts[block].len());
    let mut pairs = (0..40).flat_map(|one| (one + 2..40).map(move |other| [one, other]));
    let equal = pairs.find(|pair| totals(pair[0]) == totals(pair[1]));
    (whole, equal.expect("two blocks with equal totals"))
}

#[test]
fn blocks_with_equal_totals_are_not_taken_for_one_another() {
    let (whole, [one, other]) = with_equal_totals();
    let [a, b] = [one, other].map(|block| whole.places[block].clone());
    let (part_a, part_b) = (&whole.bytes[a.clone()], &whole.bytes[b.clone()]);
    assert_ne!(part_a, part_b);
    let put = |into: &[(&Range<usize>, &[u8])]| {
        let mut bytes = whole.bytes.clone();
        for (place, part) in into {
            bytes[place.start..place.end].copy_from_slice(part);
        }
        bytes
    };
    let swapped = put(&[(&a, part_b), (&b, part_a)]);
    let doubled = put(&[(&a, part_b)]);
    for (bad, damaged, lost) in [
        (&swapped, &[one, other][..], &[][..]),
        (&doubled, &[one], &[one]),
    ] {
        for depth in [Depth::Full, Depth::Quick] {
            let verifier = Verifier::new().depth(depth).threads(1);
            let verified = verifier.verify_read_at(bad, "a.ign").unwrap();
            let blocks = verified
                .damage
                .iter()
                .filter_map(|damage| match damage.place {
                    Place::Block { number, .. } => Some(number as usize - 1),
                    _ => None,
                });
            assert_eq!(blocks.collect::<Vec<_>>(), damaged, "{depth:?}");
        }
        let archive = Archive::from_read_at(bad.clone(), "a.ign").unwrap();
        for (number, text) in (1..).zip(&whole.texts) {
            let game = archive
                .game(number)
                .and_then(|game| Ok(game.pgn()?.to_vec()));
            if damaged.contains(&(number as usize - 1)) {
                assert!(game.is_err(), "game {number}")
            } else {
                assert!(game.unwrap() == *text, "game {number}")
            }
        }
        let (report, out) = recovered(bad).unwrap();
        assert!(text_of(&out) == whole.without(lost), "{report:?}");
        assert_eq!(report.is_complete(), lost.is_empty(), "{report:?}");
        assert_eq!(report.lost.len(), lost.len(), "{report:?}");
    }
    // The index lists one of them, and only the other one is in the file.
    let without = [&whole.bytes[..a.start], &whole.bytes[a.end..]].concat();
    let (report, out) = recovered(&without).unwrap();
    assert!(text_of(&out) == whole.without(&[one]), "{report:?}");
}

#[test]
fn a_block_that_moved_is_found_although_an_equal_one_is_elsewhere() {
    let packed = |name: &str, text: Vec<u8>| {
        let input = Input::reader(name, std::io::Cursor::new(text));
        let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
        Archive::from_read_at(bytes, name).unwrap()
    };
    let (one, other) = (games(5), commented(&games(9)));
    let sources = [
        packed("a", one.clone()),
        packed("b", other),
        packed("a", one.clone()),
    ];
    let (bytes, _) = Merger::new().merge(&sources, Vec::new()).unwrap();
    let middle = sources[0].blocks()[0].bytes().end as usize + 300;
    let inserted = [&bytes[..middle], b"x", &bytes[middle..]].concat();
    let (report, out) = recovered(&inserted).unwrap();
    assert!(text_of(&out).ends_with(&one), "{report:?}");
    let lost: Vec<_> = report.lost.iter().filter_map(|lost| lost.block).collect();
    let reduced: Vec<_> = report
        .reduced
        .iter()
        .filter_map(|lost| lost.block)
        .collect();
    assert_eq!([lost, reduced].concat(), [2], "{report:?}");
}

#[test]
fn nothing_is_lost_with_the_last_index_of_a_grown_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    let texts = [games(8), games(5)];
    let input = |number: usize| Input::reader("a", std::io::Cursor::new(texts[number].clone()));
    let packed = Packer::new().pack([input(0)], File::create(&path).unwrap());
    let before = packed.unwrap().1.archive_len;
    let appender = Appender::open(&path).unwrap();
    let packer = appender.packer().unwrap();
    appender.append(packer, [input(1)]).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let index_at = table_offset(&Archive::open(&path).unwrap());
    let mut bad = whole.clone();
    bad[index_at + 20] ^= 1;
    let (report, out) = recovered(&bad).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert!(text_of(&out) == texts.concat());
    // With the footer it is not known whether more followed.
    *bad.last_mut().unwrap() ^= 1;
    let (report, out) = recovered(&bad).unwrap();
    assert!(!report.is_complete(), "{report:?}");
    assert!(text_of(&out) == texts.concat());
    // Without the append and some bytes of the footer before it, games are lost, whatever the index
    // says.
    for cut in [0, 1, 40, 69] {
        let len = before as usize - 70 + cut;
        std::fs::write(&path, &whole[..len]).unwrap();
        let (report, out) = recovered(&whole[..len]).unwrap();
        assert!(!report.is_complete(), "{report:?}");
        assert!(
            report
                .notes
                .iter()
                .any(|note| note.contains("cut off in its footer"))
        );
        assert!(text_of(&out) == texts[0]);
        let (_, damage) = Archive::open_damaged(&path).unwrap();
        assert!(damage.iter().any(check::Damage::loses_games), "{damage:?}");
    }
}

/// A model of names with another bias of an output, in a file of a folder.
pub fn names_model(folder: &Path, bit: u8) -> ModelFile {
    let mut data = NameNetwork::builtin().data();
    *data.last_mut().unwrap() ^= bit;
    let path = folder.join(format!("names-{bit}.model"));
    std::fs::write(&path, encode_model(5, &data, 3).unwrap().bytes).unwrap();
    ModelFile::open(path).unwrap()
}

/// The archive of a text that is packed, and appended to it, and its bytes with a damaged index.
/// `set` sets options of the first packer and of the second one.
fn packed_twice(
    folder: &Path,
    text: &[u8],
    set: impl Fn(Packer<'static>, u8) -> Packer<'static>,
) -> (Archive, Vec<u8>) {
    let path = folder.join("a.ign");
    let input = || [Input::reader("a", std::io::Cursor::new(text.to_vec()))];
    let out = File::create(&path).unwrap();
    set(Packer::new(), 1).pack(input(), out).unwrap();
    let appender = Appender::open(&path).unwrap();
    let packer = set(appender.packer().unwrap(), 2);
    appender.append(packer, input()).unwrap();
    let archive = Archive::open(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[table_offset(&archive) + 20] ^= 1;
    (archive, bytes)
}

#[test]
fn a_text_that_was_appended_again_replaces_a_damaged_block_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let text = games(8);
    let (archive, mut bad) = packed_twice(folder.path(), &text, |packer, _| packer);
    let first = &archive.blocks()[0];
    bad[(first.offset + first.stored_len) as usize - 20] ^= 1;
    let (report, out) = recovered(&bad).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert!(text_of(&out) == text.repeat(2));
}

#[test]
fn another_copy_of_the_file_adds_no_games() {
    let whole = Whole::new(&commented(&games(20)), Coding::Ign);
    let bytes = &whole.bytes;
    let twice = [&bytes[..], bytes].concat();
    let thrice = [&twice[..], bytes].concat();
    let mut damaged = twice.clone();
    damaged[whole.places[1].start + 200] ^= 1;
    for (copies, cut) in [(&twice, 1), (&twice, 100), (&thrice, 100), (&damaged, 100)] {
        let (report, out) = recovered(&copies[..copies.len() - cut]).unwrap();
        assert!(text_of(&out) == whole.texts.concat(), "{cut}: {report:?}");
    }
    // Those of another archive are more games. Those that the last index lists come first.
    let other = Whole::new(&games(30), Coding::Ign);
    let both = [&bytes[..], &other.bytes].concat();
    let (report, out) = recovered(&both[..both.len() - 1]).unwrap();
    let texts = [other.texts.concat(), whole.texts.concat()].concat();
    assert!(text_of(&out) == texts, "{report:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both.ign");
    for (first, second) in [(&whole, &other), (&other, &whole)] {
        let both = [&first.bytes[..], &second.bytes].concat();
        for cut in [0, 1, 100] {
            std::fs::write(&path, &both[..both.len() - cut]).unwrap();
            let (archive, damage) = Archive::open_damaged(&path).unwrap();
            assert!(!damage.is_empty());
            let mut text = Vec::new();
            archive.unpack(&mut text).unwrap();
            assert!(!text.is_empty());
        }
    }
}

#[test]
fn models_and_texts_that_were_appended_again_are_not_lost_with_the_last_index() {
    let folder = tempfile::tempdir().unwrap();
    let text = games(8);
    let (archive, bad) = packed_twice(folder.path(), &text, |packer, bit| {
        packer.model(&names_model(folder.path(), bit)).unwrap()
    });
    let is_model = |block: &&BlockEntry| block.text_len == 0;
    assert_eq!(archive.blocks().iter().filter(is_model).count(), 4);
    let (report, out) = recovered(&bad).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert!(text_of(&out) == text.repeat(2));
    let found = Archive::from_read_at(out, "a.ign").unwrap();
    assert_eq!(found.blocks().iter().filter(is_model).count(), 4);
}

#[test]
fn an_input_of_which_blocks_are_lost_is_a_part() {
    let texts = [games(20), games(12)];
    let inputs = ["a.pgn", "b.pgn"].into_iter().zip(&texts);
    let inputs = inputs.map(|(name, text)| Input::reader(name, std::io::Cursor::new(text.clone())));
    let packer = Packer::new().coding(Coding::Ign).block_size(1 << 12);
    let (mut bytes, _) = packer.pack(inputs, Vec::new()).unwrap();
    let archive = Archive::from_read_at(bytes.clone(), "a.ign").unwrap();
    let second = archive.blocks()[1];
    bytes[second.offset as usize..][..second.stored_len as usize].fill(0);
    let (report, out) = recovered(&bytes).unwrap();
    assert_eq!(report.lost.len(), 1, "{report:?}");
    let good = Archive::from_read_at(out.clone(), "good.ign").unwrap();
    let sources = &good.sources();
    assert_eq!(
        sources
            .iter()
            .map(|source| source.is_part)
            .collect::<Vec<_>>(),
        [true, false]
    );
    assert_eq!(sources[1], archive.sources()[1]);
    assert!(text_of(&out).ends_with(&texts[1]));
    // Without the index their names are lost, which is said.
    let place = table_offset(&archive);
    bytes[place..place + 30].fill(0);
    let (report, _) = recovered(&bytes).unwrap();
    let notes = report.notes.join("\n");
    assert!(notes.contains("the names of the packed files"), "{notes}");
}

#[test]
fn an_archive_cut_off_after_a_block_may_have_had_more_games() {
    let whole = Whole::new(&games(20), Coding::Ign);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ign");
    std::fs::write(&path, &whole.bytes[..whole.places[1].end]).unwrap();
    let (archive, damage) = Archive::open_damaged(&path).unwrap();
    assert_eq!(archive.len(), whole.games[..2].iter().sum::<u64>());
    assert!(damage.iter().any(check::Damage::loses_games), "{damage:?}");
}

#[test]
fn a_metadata_record_that_is_sealed_and_malformed_is_written_again() {
    use ign_format::container::{
        frame::{self, Kind},
        header,
    };
    let whole = Whole::new(&games(20), Coding::Ign);
    let mut bad = whole.bytes.clone();
    let len = whole.places[0].start - header::LEN;
    let forged = frame::seal(Kind::Meta, &vec![0xff; len - frame::SEAL_LEN]);
    bad[header::LEN..][..len].copy_from_slice(&forged);
    let (_, out) = recovered(&bad).unwrap();
    assert!(text_of(&out) == whole.without(&[]));
    Archive::from_read_at(out, "good.ign")
        .unwrap()
        .meta()
        .unwrap();
}

/// By its first model a block of games would be taken for a copy of the built-in move model.
#[test]
fn a_block_of_games_that_claims_to_be_a_model_is_lost() {
    use ign_format::{
        block::is_model,
        container::{
            block_head::Head,
            frame::{self, Kind},
        },
    };
    let whole = Whole::new(&games(20), Coding::Weighted);
    let at = whole.places[1].start;
    let len = frame::skippable_len(&whole.bytes[at..]).unwrap() as usize;
    let payload = frame::open(Kind::Block, &whole.bytes[at..][..len]).unwrap();
    let forged = (0..payload.len()).map(|byte| {
        let mut payload = payload.to_vec();
        payload[byte] = 8;
        frame::seal(Kind::Block, &payload)
    });
    let claims = |head: &Vec<u8>| Head::read(head).is_ok_and(|head| is_model(&head));
    let mut claimed = 0;
    for head in forged.filter(claims) {
        claimed += 1;
        let mut bad = whole.bytes.clone();
        bad[at..][..len].copy_from_slice(&head);
        let (report, out) = recovered(&bad).unwrap();
        assert_eq!(report.notes, [""; 0]);
        assert!(text_of(&out) == whole.without(&[1]));
    }
    assert!(claimed > 0);
}

#[test]
fn inserted_and_removed_bytes_lose_at_most_their_block() {
    for (kind, whole) in Whole::of_each_kind().into_iter().enumerate() {
        for at in (0..whole.bytes.len()).step_by(97) {
            let damaged: Vec<usize> = whole.block_of(at).into_iter().collect();
            let (before, after) = whole.bytes.split_at(at);
            let inserted = [before, b"\x5a\x2a\x4d\x18more", after].concat();
            let is_between = whole.places.iter().any(|place| place.start == at);
            let lost = if is_between { &[][..] } else { &damaged };
            let what = format!("kind {kind}, inserted at {at}");
            assert_recovered(&whole, &inserted, lost, &what);
            let removed = [before, &after[1..]].concat();
            let what = format!("kind {kind}, removed at {at}");
            assert_recovered(&whole, &removed, &damaged, &what);
        }
    }
}

#[test]
fn verify_reports_all_damage_of_a_file_at_once() {
    let whole = Whole::new(&commented(&games(20)), Coding::Ign);
    let archive = Archive::from_read_at(whole.bytes.clone(), "a.ign").unwrap();
    let mut bad = whole.bytes.clone();
    bad[3] ^= 1;
    bad[30] ^= 1;
    bad[whole.places[0].end - 1] ^= 1;
    bad[whole.places[2].start + 20] ^= 1;
    bad[table_offset(&archive) + 20] ^= 1;
    let bad = [&bad[..], b"excess"].concat();
    let verify = |bytes: &Vec<u8>, depth| {
        Verifier::new()
            .depth(depth)
            .verify_read_at(bytes, "a.ign")
            .unwrap()
    };
    for depth in [Depth::Full, Depth::Quick] {
        let verified = verify(&bad, depth);
        let names: Vec<_> = verified
            .damage
            .iter()
            .map(|damage| damage.place.name())
            .collect();
        for name in ["header", "metadata", "index", "block", "gap"] {
            assert!(names.contains(&name), "{depth:?}: no {name} in {names:?}");
        }
        let columns = verified.damage.iter().flat_map(|damage| &damage.columns);
        assert!(columns.count() > 0, "{depth:?}");
        assert!(verify(&whole.bytes, depth).damage.is_empty());
    }
    let bytes = &whole.bytes;
    let sampled = verify(
        bytes,
        Depth::Sample {
            share: 0.5,
            seed: 1,
        },
    );
    assert!(sampled.decoded < sampled.blocks && sampled.damage.is_empty());
    let damage: Vec<Error> = verify(&bad, Depth::Full)
        .damage
        .into_iter()
        .map(|d| d.error)
        .collect();
    assert!(damage.iter().all(|error| error.file() == Some("a.ign")));
    let is_block = |place: &Place| matches!(place, Place::Block { .. });
    assert!(
        verify(&bad, Depth::Full)
            .damage
            .iter()
            .any(|damage| is_block(&damage.place))
    );
}

#[test]
fn recovery_of_random_bytes_ends() {
    let whole = Whole::new(&commented(&games(20)), Coding::Ign);
    let mut state = 1u64;
    for round in 0..300 {
        let mut bad = whole.bytes.clone();
        for _ in 0..1 + round % 30 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % bad.len();
            bad[at] = (state >> 20) as u8;
        }
        if let Ok((report, out)) = recovered(&bad) {
            let text = text_of(&out);
            if report.reduced.is_empty() {
                // Each block that is left is one of the archive, in its order.
                let mut rest = &text[..];
                for own in &whole.texts {
                    rest = rest.strip_prefix(&own[..]).unwrap_or(rest);
                }
                assert!(rest.is_empty(), "round {round}: {report:?}");
            }
            if report.method == Method::Copied {
                assert!(out == whole.bytes);
            }
        }
    }
}
