//! Questions about the games of an archive.
//!
//! - `opening`: `/lichess` for the position after 0 to 16 plies of a random game;
//! - `any`: `/lichess` for any position of a random game;
//! - `filtered`: `/lichess` after 0 to 16 plies, with random speeds and rating groups;
//! - `mixed`: all of these, lists of games, games, downloads, statistics, the page, and bad
//!   requests.

use ign_archive::{
    Archive, GameData, GameNumber,
    shakmaty::{EnPassantMode, fen::Fen},
};
use ign_testing::Random;

/// The kinds of questions.
pub const KINDS: [&str; 4] = ["opening", "any", "filtered", "mixed"];

/// Games from which questions are drawn.
const GAMES: usize = 4000;
/// The greatest number of plies of an opening.
const OPENING: usize = 16;
/// One in this many questions of the kind `mixed` is bad.
const BAD: usize = 5;

/// The positions of games.
pub struct Questions {
    games: u64,
    lines: Vec<Vec<String>>,
}

impl Questions {
    /// Draws the games.
    pub fn draw(archive: &Archive) -> Self {
        let mut random = Random(1);
        let mut numbers: Vec<GameNumber> = (0..GAMES)
            .map(|_| GameNumber::from_index(random.below(archive.len() as usize) as u64))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut lines = Vec::new();
        for game in archive.games().decoding([GameData::Moves]).only(numbers) {
            let game = game.unwrap();
            let fens = game.positions().unwrap().map(|position| {
                let fen = Fen::from_position(&position, EnPassantMode::Legal);
                fen.to_string().replace(' ', "_")
            });
            lines.push(fens.collect());
        }
        // Those of games without moves.
        lines.retain(|line: &Vec<String>| !line.is_empty());
        Self {
            games: archive.len(),
            lines,
        }
    }

    /// A request.
    pub fn request(&self, kind: &str, random: &mut Random) -> String {
        if kind == "mixed" && random.below(BAD) == 0 {
            return self.bad(random);
        }
        let path = match kind {
            "opening" => self.opening(random),
            "any" => self.any(random),
            "filtered" => self.filtered(random),
            _ => self.mixed(random),
        };
        get(&path)
    }

    fn line(&self, random: &mut Random) -> &[String] {
        &self.lines[random.below(self.lines.len())]
    }

    /// The FEN after the moves of an opening.
    fn early(&self, random: &mut Random) -> &str {
        let line = self.line(random);
        &line[random.below(line.len().min(OPENING + 1))]
    }

    /// The FEN of any position.
    fn anywhere(&self, random: &mut Random) -> &str {
        let line = self.line(random);
        &line[random.below(line.len())]
    }

    fn game(&self, random: &mut Random) -> usize {
        1 + random.below(self.games as usize)
    }

    fn opening(&self, random: &mut Random) -> String {
        format!("/lichess?fen={}", self.early(random))
    }

    fn any(&self, random: &mut Random) -> String {
        format!("/lichess?fen={}", self.anywhere(random))
    }

    fn filtered(&self, random: &mut Random) -> String {
        let fen = self.early(random);
        let group = ["1400", "1600", "1800", "2000", "1400,1600,1800"][random.below(5)];
        let speeds = ["bullet", "blitz", "rapid,classical"][random.below(3)];
        format!("/lichess?fen={fen}&ratings={group}&speeds={speeds}")
    }

    fn mixed(&self, random: &mut Random) -> String {
        match random.below(16) {
            0 => format!("/masters?fen={}", self.early(random)),
            1 => format!("/lichess?fen={}&history=true", self.early(random)),
            2 => format!("/api/games?position={}&limit=10", self.anywhere(random)),
            3 => format!(
                "/api/games?white_elo={}..&limit=20",
                1500 + random.below(700)
            ),
            4 => format!("/api/game/{}", self.game(random)),
            5 => format!("/api/game/{}.pgn", self.game(random)),
            6 => format!("/api/position?fen={}", self.anywhere(random)),
            7 => format!("/api/games.pgn?limit=20&offset={}", self.game(random)),
            8 => "/api/stats".to_owned(),
            9 => ["/", "/app.js", "/api/sources"][random.below(3)].to_owned(),
            10 | 11 => self.any(random),
            12 | 13 => self.filtered(random),
            _ => self.opening(random),
        }
    }

    /// A request that is to be refused.
    fn bad(&self, random: &mut Random) -> String {
        let number = random.below(1_000_000);
        let path = match random.below(16) {
            0 => format!("/lichess?fen={}", self.early(random).replace('/', "//")),
            1 => format!("/lichess?play={}", "e2e4,".repeat(1 + number % 4000)),
            2 => format!("/api/game/{}", self.games as usize + 1 + number),
            3 => format!("/..%2f{number}"),
            4 => format!("/api/games?elo={}..1", 2 + number % 1000),
            5 => format!("/lichess?fen={}&ratings=1700", self.early(random)),
            6 => "/lichess?variant=x".to_owned(),
            7 => format!("/api/games?tag=Event%3D({number}"),
            8 => format!("/api/games?offset=-{number}"),
            9 => format!("/player?player=&color=white&moves={number}"),
            10 => format!("/lichess?{}", "moves=1&".repeat(101)),
            11 => return "GET /lichess HTTP/1.1\r\nno colon\r\n\r\n".to_owned(),
            12 => {
                let headers = "a: b\r\n".repeat(101);
                return format!("GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
            }
            13 => {
                return "POST /lichess HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
                    .to_owned();
            }
            14 => format!("/lichess?fen={}", "8".repeat(33 << 10)),
            _ => format!("/api/stats?source={number}"),
        };
        get(&path)
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}
