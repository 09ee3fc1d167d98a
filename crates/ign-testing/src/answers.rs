//! The forms of the answers of the interface, as `docs/http.md` describes them.

use serde_json::Value;

/// The form of a value.
#[derive(Debug)]
pub enum Form {
    /// A number.
    Number,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// The form or null.
    Or(&'static Form),
    /// Values of the form.
    List(&'static Form),
    /// An object with these keys, and no others.
    Object(Keys),
    /// An object with the keys of all these lists, and no others.
    All(&'static [Keys]),
    /// A pair of texts.
    Pair,
    /// An object with any keys and values of this form.
    Map(&'static Form),
    /// Any value.
    Any,
}

/// Keys of an object, with their values.
pub type Keys = &'static [(&'static str, Form)];

use Form::{All, Any, Flag, List, Map, Number, Object, OneOf, Or, Pair, Text};

impl Form {
    /// Checks that a value has this form. `place` is its name for messages.
    ///
    /// # Panics
    /// It has another one.
    pub fn check(&self, value: &Value, place: &str) {
        let is_it = match self {
            Number => value.is_number(),
            Text => value.is_string(),
            Flag => value.is_boolean(),
            Any => true,
            OneOf(texts) => value.as_str().is_some_and(|text| texts.contains(&text)),
            Or(form) => {
                if !value.is_null() {
                    form.check(value, place);
                }
                true
            }
            List(form) => {
                let list = value.as_array();
                for (number, item) in list.into_iter().flatten().enumerate() {
                    form.check(item, &format!("{place}[{number}]"));
                }
                list.is_some()
            }
            Pair => {
                let pair = value.as_array();
                pair.is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_string))
            }
            Map(form) => {
                let map = value.as_object();
                for (key, item) in map.into_iter().flatten() {
                    form.check(item, &format!("{place}.{key}"));
                }
                map.is_some()
            }
            Object(keys) => {
                check_keys(value, &[keys], place);
                true
            }
            All(lists) => {
                check_keys(value, lists, place);
                true
            }
        };
        assert!(is_it, "{place} has another form: {value}");
    }
}

/// Checks that a value is an object with the keys of these lists, and no others.
fn check_keys(value: &Value, lists: &[Keys], place: &str) {
    let Some(object) = value.as_object() else {
        panic!("{place} is not an object: {value}");
    };
    let keys = || lists.iter().copied().flatten();
    for (key, form) in keys() {
        let item = object
            .get(*key)
            .unwrap_or_else(|| panic!("{place} has no {key}: {value}"));
        form.check(item, &format!("{place}.{key}"));
    }
    for key in object.keys() {
        let is_known = keys().any(|(known, _)| known == key);
        assert!(is_known, "{place}.{key} is not in the interface: {value}");
    }
}

const OPENING: Form = Or(&Object(&[("eco", Text), ("name", Text)]));
const PLAYER: Form = Object(&[("name", Or(&Text)), ("rating", Or(&Number))]);
const COLOR: Form = OneOf(&["white", "black"]);
const SPEED: Form = OneOf(&[
    "ultraBullet",
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "correspondence",
]);
const RESULTS: Keys = &[("white", Number), ("draws", Number), ("black", Number)];
const GAME_KEYS: Keys = &[
    ("id", Text),
    ("winner", Or(&COLOR)),
    ("speed", Or(&SPEED)),
    ("mode", Or(&OneOf(&["rated", "casual"]))),
    ("white", PLAYER),
    ("black", PLAYER),
    ("year", Or(&Number)),
    ("month", Or(&Text)),
];
const GAME: Form = Object(GAME_KEYS);
const LISTED: Form = All(&[GAME_KEYS, &[("uci", Or(&Text))]]);
const MOVE_KEYS: Keys = &[
    ("uci", Text),
    ("san", Text),
    ("performance", Or(&Number)),
    ("game", Or(&GAME)),
    ("opening", OPENING),
];
const MOVE: Form = All(&[MOVE_KEYS, RESULTS, &[("averageRating", Or(&Number))]]);
const PLAYER_MOVE: Form = All(&[
    MOVE_KEYS,
    RESULTS,
    &[("averageOpponentRating", Or(&Number))],
]);
const MONTH: Form = All(&[&[("month", Text)], RESULTS]);
const ANSWER_KEYS: Keys = &[
    ("topGames", List(&LISTED)),
    ("recentGames", List(&LISTED)),
    ("opening", OPENING),
];
const MOVES: Keys = &[("moves", List(&MOVE))];
/// The answer of `/lichess` and `/masters`.
pub const LICHESS: Form = All(&[RESULTS, MOVES, ANSWER_KEYS]);
/// The answer of `/lichess?history=true`.
pub const LICHESS_HISTORY: Form = All(&[RESULTS, MOVES, ANSWER_KEYS, &[("history", List(&MONTH))]]);
/// The answer of `/player`.
pub const OF_PLAYER: Form = All(&[
    RESULTS,
    &[("moves", List(&PLAYER_MOVE)), ("queuePosition", Number)],
    ANSWER_KEYS,
]);

const RATED: Form = Object(&[
    ("name", Or(&Text)),
    ("rating", Or(&Number)),
    ("title", Or(&Text)),
]);
const EVAL: Form = Map(&Number);
const PLAYED: Form = Object(&[
    ("san", Text),
    ("uci", Text),
    ("fen", Text),
    ("clock", Or(&Number)),
    ("eval", Or(&EVAL)),
    ("nags", List(&Number)),
    ("comment", Or(&Text)),
    ("variations", List(&List(&Any))),
]);
const IN_LIST_KEYS: Keys = &[
    ("number", Number),
    ("source", Text),
    ("source_number", Number),
    ("id", Text),
    ("white", RATED),
    ("black", RATED),
    ("result", Or(&OneOf(&["1-0", "0-1", "1/2-1/2", "*"]))),
    ("date", Or(&Text)),
    ("time_control", Or(&Text)),
    ("speed", Or(&SPEED)),
    ("eco", Or(&Text)),
    ("opening", Or(&Text)),
    ("event", Or(&Text)),
    ("round", Or(&Text)),
    ("site", Or(&Text)),
    ("termination", Or(&Text)),
    ("plies", Or(&Number)),
    ("ply", Or(&Number)),
];
const IN_LIST: Form = Object(IN_LIST_KEYS);
/// The answer of `/api/game/{number}`.
pub const ONE_GAME: Form = All(&[
    IN_LIST_KEYS,
    &[
        ("kind", OneOf(&["chess", "go"])),
        ("tags", List(&Pair)),
        ("start", Or(&Text)),
        ("moves", List(&PLAYED)),
        ("comment", Or(&Text)),
        ("text", Or(&OneOf(&["kept"]))),
        ("pgn_url", Text),
    ],
]);
const BARS: Form = Object(&[
    ("mean", Or(&Number)),
    ("median", Or(&Number)),
    ("first", Number),
    ("width", Number),
    ("counts", List(&Number)),
    ("beyond", Number),
]);
/// The answer of `/api/stats`.
pub const STATS: Form = Object(&[
    ("ready", Flag),
    ("games", Number),
    ("plies", Number),
    ("text_bytes", Number),
    ("archive_bytes", Number),
    ("bytes_per_game", Or(&Number)),
    ("bits_per_ply", Or(&Number)),
    (
        "columns",
        List(&Object(&[("name", Text), ("bytes", Number)])),
    ),
    ("bits_per_game", BARS),
    ("plies_per_game", BARS),
    ("bits_of_plies", BARS),
    (
        "encodings",
        List(&Object(&[("name", Text), ("bits_per_ply", Or(&Number))])),
    ),
    (
        "by_ply",
        List(&Object(&[
            ("games", Number),
            ("legal_moves", Or(&Number)),
            ("equal_bits", Or(&Number)),
            ("model_bits", Or(&Number)),
        ])),
    ),
    (
        "openings",
        List(&All(&[
            &[("eco", Text), ("name", Text), ("games", Number)],
            RESULTS,
        ])),
    ),
    (
        "ratings",
        List(&All(&[
            &[("from", Number), ("to", Number), ("games", Number)],
            RESULTS,
        ])),
    ),
    ("days", List(&Object(&[("date", Text), ("games", Number)]))),
    (
        "speeds",
        List(&Object(&[("speed", SPEED), ("games", Number)])),
    ),
]);

/// The answer of `/api/sources`.
pub const SOURCES: Form = Object(&[
    (
        "sources",
        List(&Object(&[
            ("name", Text),
            ("games", Number),
            ("bytes", Number),
            ("text_bytes", Number),
            ("plies", Number),
            ("index", Flag),
        ])),
    ),
    ("games", Number),
    ("version", Text),
    ("etag", Text),
]);
/// The answer of `/api/games`.
pub const LIST: Form = Object(&[
    ("total", Or(&Number)),
    ("offset", Number),
    ("games", List(&IN_LIST)),
]);
/// The answer of `/api/position`.
pub const POSITION: Form = Object(&[
    ("fen", Text),
    ("opening", OPENING),
    ("turn", COLOR),
    ("check", Flag),
    ("promotes", Flag),
    ("legal", Map(&List(&Text))),
    (
        "outcome",
        Or(&Object(&[("winner", Or(&COLOR)), ("reason", Text)])),
    ),
    (
        "line",
        List(&Object(&[
            ("uci", Text),
            ("san", Text),
            ("fen", Text),
            ("opening", OPENING),
        ])),
    ),
]);
/// The answer of `/api/progress`.
pub const PROGRESS: Form = Object(&[("progress", Or(&Number))]);
/// The answer of `/api/conditions`.
pub const CONDITIONS: Form = Object(&[(
    "conditions",
    List(&Object(&[
        ("name", Text),
        ("form", Text),
        ("choices", List(&Text)),
        ("repeatable", Flag),
        ("heading", Text),
        ("label", Text),
        ("help", Text),
        ("example", Text),
    ])),
)]);
/// The answer of `/api/count`.
pub const COUNT: Form = Object(&[
    ("games", Number),
    ("all_rows", Number),
    ("rows", List(&List(&Any))),
]);
/// The answer of `/api/names`.
pub const NAMES: Form = Object(&[("names", List(&Object(&[("name", Text), ("games", Number)])))]);
/// The answer of `/api/annotations`.
pub const ANNOTATIONS: Form = Object(&[
    ("games", Number),
    ("read", Number),
    (
        "moves",
        List(&Object(&[
            ("san", Text),
            ("games", Number),
            ("clocks", Number),
            ("seconds", Or(&Number)),
            ("evals", Number),
            ("pawns", Or(&Number)),
            ("blunders", Or(&Number)),
        ])),
    ),
]);
/// The answer of `/api/stats`, while it is computed.
pub const COMPUTING: Form = Object(&[("ready", Flag), ("progress", Number)]);
