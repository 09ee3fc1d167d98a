//! Tokens of a movetext: its moves and its result.
//!
//! For readers that need the moves and not the exact text, such as `ign encode`: comments, glyphs,
//! variations, move numbers and the word `e.p.` are skipped. Any other word is returned as a move,
//! so that errors are noticed. Packing reads movetext with `gap_parser`.

use super::words::RESULTS;

/// A token of a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A word that should be a move, without trailing `!` and `?`.
    Move(&'t [u8]),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'t [u8]),
}

/// Iterator over the tokens of a movetext.
#[derive(Debug, Clone)]
pub struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The tokens of a text.
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Skips bytes up to and including the first of `ends`.
    fn skip_past(&mut self, ends: &[u8]) {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|c| ends.contains(c));
        self.at += len.map_or(rest.len(), |len| len + 1);
    }

    /// Skips a variation, with those nested in it, after its opening parenthesis.
    fn skip_variation(&mut self) {
        let mut depth = 1;
        while depth > 0 && self.at < self.text.len() {
            let byte = self.text[self.at];
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'{' => self.skip_past(b"}"),
                b';' => self.skip_past(b"\n\r"),
                _ => {}
            }
        }
    }

    /// The word at the current offset, up to white space or a delimiter.
    fn take_token(&mut self) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let ends = |c: &u8| c.is_ascii_whitespace() || b"{}();$".contains(c);
        let len = rest.iter().position(ends).unwrap_or(rest.len()).max(1);
        self.at += len;
        &rest[..len]
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        while let Some(&byte) = self.text.get(self.at) {
            let starts_line = self.at == 0 || matches!(self.text[self.at - 1], b'\n' | b'\r');
            match byte {
                _ if byte.is_ascii_whitespace() => self.at += 1,
                b'{' => self.skip_past(b"}"),
                b';' => self.skip_past(b"\n\r"),
                b'%' if starts_line => self.skip_past(b"\n\r"),
                b'(' => {
                    self.at += 1;
                    self.skip_variation();
                }
                b'$' => {
                    self.at += 1;
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().take_while(|c| c.is_ascii_digit()).count();
                }
                _ => {
                    let start = self.at;
                    let word = self.take_token();
                    if RESULTS.contains(&word) {
                        return Some(Token::Result(word));
                    }
                    let bare = without_number(word);
                    // `1.e4` is a number and a move.
                    let bare_start = start + word.len() - bare.len();
                    let glyphs = bare.iter().rev().take_while(|c| b"!?".contains(c)).count();
                    let bare = &self.text[bare_start..bare_start + bare.len() - glyphs];
                    if !bare.is_empty() && bare != b"e.p." {
                        return Some(Token::Move(bare));
                    }
                }
            }
        }
        None
    }
}

/// A word without the move number and dots at its start. The `0` of `0-0` is not a number, and
/// `0000` is a null move.
fn without_number(word: &[u8]) -> &[u8] {
    if word == b"0000" {
        return word;
    }
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    let rest = &word[digits..];
    if !rest.is_empty() && rest[0] != b'.' {
        return word;
    }
    let dots = rest.iter().take_while(|&&c| c == b'.').count();
    &rest[dots..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let word = |word| match word {
            Token::Move(word) => String::from_utf8_lossy(word).into_owned(),
            Token::Result(word) => format!("={}", String::from_utf8_lossy(word)),
        };
        Tokens::new(text.as_bytes()).map(word).collect()
    }

    #[test]
    fn returns_moves_and_results_only() {
        let text = "1.e4 {best (by test) 1. d4} e5?! $1$14 2. Nf3!? (2. f4 exf4 (2... d5 {)}) 3. Nf3) \
                    2... Nc6 3 Bb5; a6\n% b5\n3...a6 0-0 12 ... exd6 e.p. -- 0000 1/2-1/2";
        let expected = [
            "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "0-0", "exd6", "--", "0000", "=1/2-1/2",
        ];
        assert_eq!(words(text), expected);
        assert_eq!(words("1-0"), ["=1-0"]);
        assert_eq!(words("* 1. P@e4"), ["=*", "P@e4"]);
        assert_eq!(words(" \n1. ... 7"), [""; 0]);
    }

    #[test]
    fn ends_in_unclosed_comments_and_variations() {
        for text in ["e4 {x", "e4 (d4 (c4) {", "e4 ;", "e4 $", "e4 ) }"] {
            assert_eq!(words(text)[0], "e4", "{text}");
        }
        assert_eq!(words("e4 ) e5"), ["e4", ")", "e5"]);
    }
}
