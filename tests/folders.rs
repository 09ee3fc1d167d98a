//! Are folders packed and given back, whatever is in them, and whatever an archive says about its
//! files?

use std::fs;

use ign_archive::{Input, Packer};

use crate::util::Folder;

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 *\n";

/// All files below a folder, with their bytes, by paths with `/`.
fn files(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.path(name)];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(folder.path(name)).unwrap();
                let below = below.to_string_lossy().replace('\\', "/");
                found.push((below, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_folder_is_packed_in_the_order_of_its_paths_and_given_back() {
    let folder = Folder::new();
    let names = ["2.pgn", "10.pgn", "b/x.PGN", "b/deep/er/y.sgf", "a b/ä.pgn"];
    for name in names {
        write(
            &folder,
            &format!("club/{name}"),
            &format!("{GAME}{{{name}}}"),
        );
    }
    write(&folder, "club/notes.txt", "no games");
    write(&folder, "club/.git/x.pgn", GAME);
    write(&folder, "club/.x.pgn", GAME);
    let packed = folder.ign(&["pack", "club"]);
    assert!(packed.err.contains("left out: 1 file"), "{}", packed.err);
    assert!(packed.err.contains("notes.txt"), "{}", packed.err);
    packed.done();
    let unpacked = folder.ign(&["unpack", "-c", "club.ign"]).done();
    let order = ["10.pgn", "2.pgn", "a b/ä.pgn", "b/deep/er/y.sgf", "b/x.PGN"];
    let expected: String = order
        .iter()
        .map(|name| format!("{GAME}{{{name}}}"))
        .collect();
    assert_eq!(String::from_utf8(unpacked).unwrap(), expected);

    folder
        .ign(&["unpack", "club.ign", "--files", "-o", "back"])
        .done();
    let mut expected = files(&folder, "club");
    expected.retain(|(name, _)| names.contains(&&name[..]));
    assert_eq!(files(&folder, "back/club"), expected);
    assert_eq!(files(&folder, "back").len(), expected.len());

    // One file, or those of a folder.
    let one = folder
        .ign(&["unpack", "club.ign", "--file", "10.PGN", "-c"])
        .done();
    assert_eq!(one, folder.read("club/10.pgn"));
    let some = [
        "unpack", "club.ign", "--files", "--file", "b/*", "-o", "some",
    ];
    folder.ign(&some).done();
    assert_eq!(files(&folder, "some/club/b"), files(&folder, "club/b"));
    assert_eq!(files(&folder, "some").len(), 2);
    for (args, words) in [
        (
            &["--file", "none.pgn", "-c"][..],
            "no packed file has the name",
        ),
        (&["--file", "10.pgn"], "needs a file name"),
        (&["--file", "10.pgn", "-c", "club.ign"], "a single archive"),
        (&["--file", "10.pgn", "-c", "1..2"], "leave out the range"),
    ] {
        let all = [&["unpack", "club.ign"], args].concat();
        folder.ign(&all).failed(1, words);
    }

    // Nothing is overwritten, and nothing is written if one file is there.
    fs::remove_file(folder.path("back/club/2.pgn")).unwrap();
    let again = ["unpack", "club.ign", "--files", "-o", "back"];
    folder.ign(&again).failed(1, "already exists");
    assert!(!folder.path("back/club/2.pgn").exists());
    folder.ign(&[&again[..], &["-f"]].concat()).done();
    assert_eq!(files(&folder, "back/club"), expected);
    // The folder is next to the archive by default, so these files are there.
    folder
        .ign(&["unpack", "club.ign", "--files"])
        .failed(1, "already exists");

    // The same from inside the folder, appended.
    let mut inside = folder.command(&["append", "-q", "../club.ign", "."]);
    assert!(
        inside
            .current_dir(folder.path("club"))
            .status()
            .unwrap()
            .success()
    );
    let twice = folder.ign(&["unpack", "-c", "club.ign"]).done();
    assert_eq!(
        twice.len(),
        2 * expected.iter().map(|(_, text)| text.len()).sum::<usize>()
    );
    folder
        .ign(&["unpack", "club.ign", "--files", "-o", "two"])
        .done();
    assert_eq!(files(&folder, "two/club").len(), 10);
    assert_eq!(folder.read("two/club/2-2.pgn"), folder.read("club/2.pgn"));
}

#[test]
fn a_list_names_files_of_any_extension() {
    let folder = Folder::new();
    write(&folder, "a/x.txt", GAME);
    write(&folder, "new\nline", GAME);
    for (list, args) in [
        ("./a/x.txt\r\n\n", &[][..]),
        ("a/x.txt\0new\nline\0", &["-0"]),
    ] {
        folder.write("list", list);
        for from in ["list", "-"] {
            let command = ["pack", "-qf", "-o", "x.ign", "--files-from", from];
            folder
                .ign_fed(list.as_bytes(), &[&command[..], args].concat())
                .done();
            folder
                .ign(&["unpack", "-f", "x.ign", "--files", "-o", "out"])
                .done();
            assert_eq!(folder.read("out/a/x.txt"), GAME.as_bytes());
        }
    }
    assert_eq!(folder.read("out/new_line"), GAME.as_bytes());
    folder.write("list", "a/x.txt\nmissing\n");
    let pack = ["pack", "-o", "y.ign", "--files-from"];
    folder
        .ign(&[&pack[..], &["list"]].concat())
        .failed(1, "missing: no such file");
    folder
        .ign(&[&pack[..], &["none"]].concat())
        .failed(1, "none: no such file");
    folder.write("list", "\n");
    folder
        .ign(&[&pack[..], &["list"]].concat())
        .failed(1, "names no file");
    folder
        .ign(&[&pack[..], &["-", "-"]].concat())
        .failed(1, "only once");
    assert!(!folder.path("y.ign").exists());
}

#[test]
fn a_folder_without_games_is_an_error() {
    let folder = Folder::new();
    write(&folder, "empty/notes.txt", "no games");
    folder
        .ign(&["pack", "empty"])
        .failed(1, "no .pgn or .sgf files");
    folder.ign(&["pack", "absent"]).failed(1, "no such file");
}

#[cfg(unix)]
#[test]
fn links_and_names_that_are_not_utf8_are_followed_and_kept() {
    use std::{
        ffi::OsStr,
        os::unix::{ffi::OsStrExt, fs::symlink},
    };
    let folder = Folder::new();
    write(&folder, "club/2024/a.pgn", GAME);
    write(&folder, "other/b.pgn", GAME);
    symlink("..", folder.path("club/2024/up")).unwrap();
    symlink("../other", folder.path("club/other")).unwrap();
    symlink("2024/a.pgn", folder.path("club/c.pgn")).unwrap();
    let name = OsStr::from_bytes(b"caf\xe9.pgn");
    fs::write(folder.path("club").join(name), GAME).unwrap();
    folder.ign(&["pack", "-q", "club"]).done();
    folder
        .ign(&["unpack", "club.ign", "--files", "-o", "out"])
        .done();
    let found: Vec<String> = files(&folder, "out/club")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        found,
        ["2024/a.pgn", "c.pgn", "caf\u{fffd}.pgn", "other/b.pgn"]
    );
    assert!(folder.path("out/club").join(name).exists());

    symlink("loop", folder.path("club/loop")).unwrap();
    let run = folder.ign(&["pack", "-f", "club"]);
    assert!(
        run.err.contains("left out: 1 file not named .pgn or .sgf"),
        "{}",
        run.err
    );
    run.done();
    symlink("nowhere", folder.path("club/d.pgn")).unwrap();
    folder
        .ign(&["pack", "-f", "club"])
        .failed(1, "d.pgn: no such file");
}

#[test]
fn names_in_an_archive_never_leave_the_folder() {
    let folder = Folder::new();
    let names = [
        "../../x.pgn",
        "/x.pgn",
        "a/../../x.pgn",
        "..",
        "",
        "a",
        "X.PGN",
        "C:\\x.pgn",
    ];
    let inputs = names.map(|name| Input::reader(name, GAME.as_bytes()));
    let (bytes, _) = Packer::new().pack(inputs, Vec::new()).unwrap();
    folder.write("x.ign", bytes);
    let run = folder.ign(&["unpack", "x.ign", "--files", "-o", "deep/out"]);
    assert!(
        run.err
            .contains("the file \"a/../../x.pgn\" of the archive is written as a/x.pgn"),
        "{}",
        run.err
    );
    assert_eq!(run.err.matches("is written as").count(), names.len());
    let found: Vec<String> = files(&folder, "deep/out")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let expected = [
        "C_/x.pgn",
        "X-3.PGN",
        "a-2",
        "a/x.pgn",
        "unnamed",
        "unnamed-2",
        "x-2.pgn",
        "x.pgn",
    ];
    assert_eq!(found, expected);
    assert_eq!(folder.names(), ["deep", "x.ign"]);
    assert_eq!(files(&folder, "deep").len(), names.len());
}

#[test]
fn a_file_in_utf_16_does_not_stop_a_folder_and_comes_back() {
    let folder = Folder::new();
    let wide = |text: &str| -> Vec<u8> {
        let mark = [0xff, 0xfe];
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        mark.into_iter().chain(units).collect()
    };
    let many = GAME.repeat(3000);
    fs::create_dir(folder.path("club")).unwrap();
    for (name, text) in [
        ("a.pgn", GAME.as_bytes().to_vec()),
        ("b.pgn", wide(&many)),
        ("c.pgn", GAME.as_bytes().to_vec()),
        ("d.pgn", wide(GAME)),
    ] {
        fs::write(folder.path(&format!("club/{name}")), text).unwrap();
    }
    let run = folder.ign(&["pack", "-B", "64K", "club"]);
    for words in ["2 inputs are UTF-16, the first is ", "b.pgn", "iconv"] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    run.done();
    folder
        .ign(&["unpack", "club.ign", "--files", "-o", "back"])
        .done();
    assert_eq!(files(&folder, "back/club"), files(&folder, "club"));
    let found = folder.ign(&["find", "club.ign", "-q", "--count"]).done();
    assert_eq!(found, b"2\n");
    // A single input has nothing else to pack.
    let alone = ["pack", "club/d.pgn", "-o", "d.ign"];
    folder.ign(&alone).failed(1, "iconv");
    let more = folder.ign(&["append", "club.ign", "club/a.pgn", "club/d.pgn"]);
    assert!(more.err.contains("d.pgn is UTF-16"), "{}", more.err);
    more.done();
}
