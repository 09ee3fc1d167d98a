//! Is each path answered in its documented form, without HTTP?

use ign_api::{Collection, Memory, Served, paths, plan};
use ign_archive::{Archive, Archives, Input, Packer, index::IndexBuilder};
use ign_testing::{
    answers::{
        ANNOTATIONS, CONDITIONS, COUNT, Form, LICHESS, LIST, NAMES, OF_PLAYER, ONE_GAME, POSITION,
        PROGRESS, SOURCES, STATS,
    },
    games,
};

const MEMORY: Memory = Memory {
    heads: 1 << 20,
    indexes: 1 << 20,
    blocks: 1 << 20,
};

/// Generated games in memory, with an index.
fn served(text: &[u8]) -> Served {
    let input = Input::reader("games.pgn", text.to_vec().leak() as &'static [u8]);
    let packed = Packer::new().pack([input], Vec::new());
    let (archive, _) = packed.unwrap();
    let open = || Archive::from_read_at(archive.clone(), "games.ign").unwrap();
    let mut index = Vec::new();
    IndexBuilder::new().build(&[open()], &mut index).unwrap();
    let archive = open().with_index_read_at(index, "games.ign.idx");
    Served::new(Collection::new(Archives::from(vec![archive]), MEMORY))
}

/// A path with a query, and the form of its answer if that is JSON.
fn requests(player: &str) -> [(String, Option<Form>); 16] {
    let of_player = format!("/player?player={player}&color=white");
    [
        ("/lichess?play=e2e4", Some(LICHESS)),
        ("/masters?since=2000", Some(LICHESS)),
        ("/masters/pgn/1", None),
        ("/master/pgn/2", None),
        (&of_player, Some(OF_PLAYER)),
        ("/api/sources", Some(SOURCES)),
        ("/api/conditions", Some(CONDITIONS)),
        ("/api/games?sort=elo&count=true", Some(LIST)),
        ("/api/games.pgn?numbers=1,2", None),
        ("/api/annotations?play=e2e4", Some(ANNOTATIONS)),
        ("/api/count?by=result", Some(COUNT)),
        ("/api/names?name=a", Some(NAMES)),
        ("/api/progress?fen=", Some(PROGRESS)),
        ("/api/game/3", Some(ONE_GAME)),
        ("/api/stats", Some(STATS)),
        ("/api/position?play=e2e4", Some(POSITION)),
    ]
    .map(|(request, form)| (request.to_owned(), form))
}

/// A path and its query.
fn split(request: &str) -> (&str, Option<&str>) {
    match request.split_once('?') {
        None => (request, None),
        Some((path, query)) => (path, Some(query)),
    }
}

#[test]
fn each_path_is_answered_in_its_form() {
    let served = served(&games(60));
    let list = plan(&served, "/api/games", Some("limit=1")).unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list.run().unwrap().body).unwrap();
    let player = list["games"][0]["white"]["name"].as_str().unwrap();
    let requests = requests(&player.replace(' ', "+"));
    for (pattern, (request, form)) in paths().zip(&requests) {
        let (path, query) = split(request);
        let start = pattern.split('{').next().unwrap();
        assert!(path.starts_with(start), "{path} is not {pattern}");
        let task = plan(&served, path, query).unwrap();
        let reply = task.run().unwrap();
        assert!(!reply.body.is_empty(), "{path}");
        match form {
            None => assert_eq!(reply.content_type, "application/x-chess-pgn", "{path}"),
            Some(form) => form.check(&serde_json::from_slice(&reply.body).unwrap(), path),
        }
    }
    assert_eq!(paths().count(), requests.len());
}

#[test]
fn a_request_that_is_wrong_is_a_failure_with_its_status() {
    let served = served(&games(3));
    for (request, status) in [
        ("/", 404),
        ("/api", 404),
        ("/api/game/", 404),
        ("/api/game/4", 404),
        ("/api/game/%FF", 404),
        ("/api/game/1/2", 404),
        ("/api/games?white_elo=x", 400),
        ("/api/games?source=other", 400),
        ("/lichess?play=e2e5", 400),
    ] {
        let (path, query) = split(request);
        let failure = plan(&served, path, query).and_then(|task| task.run());
        assert_eq!(failure.unwrap_err().status, status, "{request}");
    }
}

#[test]
fn games_are_downloaded_under_the_name_of_their_source() {
    let text = games(5);
    let served = served(&text);
    let reply = |request: &str| {
        let (path, query) = split(request);
        plan(&served, path, query).unwrap().run().unwrap()
    };
    let all = reply("/api/games.pgn");
    assert_eq!(all.file_name.as_deref(), Some("games.pgn"));
    assert_eq!(all.body, text);
    let one = reply("/api/games.pgn?numbers=2");
    assert_eq!(one.file_name.as_deref(), Some("games-found.pgn"));
    let game = reply("/api/game/2.pgn?source=games");
    assert_eq!(game.file_name.as_deref(), Some("games-game-2.pgn"));
    assert_eq!(game.body, one.body);
}
