"""What a search index has of a game, §15: keys of its positions, materials, values of its tags, its ending.

A part of index_reader.py. Section numbers in comments are those of format-spec.md.
"""

import bisect
import re
import unicodedata

import reader
from reader import M64



# ------------------------------------------------- keys of positions, §15.7


F = 0x9E3779B97F4A7C15


def fold(k, w):
    x = (k ^ w) * F & M64
    return x ^ x >> 29


def squares(board, letters):
    return sum(1 << square for square, piece in enumerate(board) if piece and piece in letters)


def keys_of(position):
    """The structure key s and the position key p. The pawn key is s >> 4."""
    board = position.board
    a = fold(fold(F, squares(board, "P")), squares(board, "p"))
    counts = 0
    for kind in "NBRQ":
        counts = counts << 16 | board.count(kind) << 8 | board.count(kind.lower())
    s = fold(a, counts)
    en_passant = position.en_passant
    if en_passant is not None:
        takers = (m for m in position.legal_moves() if m[1] == en_passant and m[0] is not None)
        if not any(board[m[0]] in ("P", "p") for m in takers):
            en_passant = None
    p = s
    for word in (
        *(squares(board, kind) for kind in ("Nn", "Bb", "Rr", "Qq", "Kk")),
        squares(board, "pnbrqk"),
        squares(board, "PNBRQK"),
        sum(1 << rook for rook in position.castling),
        0 if en_passant is None else 1 << en_passant,
        int(position.white),
    ):
        p = fold(p, word)
    return a >> 36 << 4 | s >> 60, p >> 14


def material_of(board):  # §15.10
    """The code of the material; None if there are more than 8 pieces and pawns beside the kings."""
    counts = [board.count(piece) for piece in "PpNnBbRrQqKk"]
    code = 0
    for count in counts:
        code = code << 4 | min(count, 15)
    return code if sum(counts[:10]) <= 8 else None


# ------------------------------------------- values of tags, §15.4 and §15.4.1


SPACE = " \t\r\n\f"


def text_of(value):
    """The text of a tag without escapes."""
    return re.sub(rb'\\(["\\])', rb"\1", value)


def characters(text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def folded(text):  # §15.5
    out = []
    for c in unicodedata.normalize("NFD", characters(text)):
        if not 0x300 <= ord(c) <= 0x36F:
            c = c.upper() if len(c.upper()) == 1 else c
            out.append(c.lower() if len(c.lower()) == 1 else c)
    return "".join(out).encode()


def rating_of(value):
    text = characters(value).strip(SPACE)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(SPACE)
    match = re.fullmatch(r"([0-9]{1,4})[+?Pp]?(?:[ \t(][^0-9]*)?", text)
    return int(match[1]) or None if match else None


MONTHS = "january february march april may june july august september october november december".split()


def number_of_month(word):
    names = [number for number, name in enumerate(MONTHS, 1) if len(word) > 2 and name.startswith(word.lower())]
    return names[0] if names else None


def date_of(value):
    """year·512 + month·32 + day, or None."""
    text = characters(value).strip(SPACE)
    if re.fullmatch(r"[0-9]{8}", text):
        value = f"{text[:4]}.{text[4:6]}.{text[6:]}".encode()
    words = [word for word in re.split(r"[ \t\r\n\f.,/-]+", text) if word]
    months = [place for place, word in enumerate(words) if number_of_month(word)]
    if len(months) == 1:
        month = number_of_month(words.pop(months[0]))
        years = [place for place in (0, len(words) - 1) if words and re.fullmatch(r"[0-9]{3,4}", words[place])]
        if not years:
            return None
        year = words.pop(years[0])
        if len(words) > 1 or not all(re.fullmatch(r"[0-9]{1,2}", word) for word in words):
            return None
        value = f"{year}.{month}.{words[0] if words else ''}".encode()
    parts = re.split(r"([./-])", characters(value).strip(SPACE))
    parts, separators = parts[::2], parts[1::2]
    if len(parts) > 3 or not all(re.fullmatch(r"[0-9]{0,4}|\?+", part) for part in parts):
        return None
    numbers = [int(part) if part.isdigit() else 0 for part in parts]
    is_year = [len(part) > 2 and part.isdigit() for part in parts]
    if is_year[0]:
        year, month, day = (*numbers, 0, 0)[:3]
    elif is_year[-1] and len(parts) == 2:
        year, month, day = numbers[1], numbers[0], 0
    elif is_year[-1]:
        day, month, year = numbers
        if separators != [".", "."]:  # the day or the month may come first
            if max(day, month) > 31 or min(day, month) > 12:
                return None
            day, month = (day, month) if day > month else (month, day)
            if month == 0 or day != month and day <= 12:
                day = month = 0
    else:
        return None
    if not year or month > 12 or day > 31:
        return None
    return year * 512 + month * 32 + (day if month else 0)


DASHES = "‐‑‒–—―−"
HALF = r"(?:½|1/2|0\.5|0,5)"
SCORES = ((r"1 ?[-:] ?0", 0), (r"0 ?[-:] ?1", 1), (rf"{HALF}(?: ?[-:] ?{HALF})?", 2))
MORE_SCORES = ((r"(?i:draw)", 2), (r"\*", 3), (r"0 ?[-:] ?0", 4), (r"\+ ?[:/]? ?-", 0), (r"- ?[:/]? ?\+", 1))


def with_hyphens(text):
    return re.sub(f"[{DASHES}]", "-", text)


def result_of_tag(value):
    """The number of the result, 3 for `*`, None if the text is no result."""
    text = re.sub(r"\s+", " ", with_hyphens(characters(value)))
    if text.strip() == "=":
        return 2
    for pattern, number in (*SCORES, *MORE_SCORES):
        suffix = "" if number == 3 else r"(FF?|ff?|[ ,;([{].*)?"
        match = re.fullmatch(f" ?{pattern}(?P<rest>{suffix}) ?", text)
        if match and not any(c in "+=*?" or unicodedata.category(c)[0] == "N" for c in match["rest"]):
            return number
    return None


def result_of_movetext(movetext):
    text = re.sub(r"\{[^}]*(\}|$)", " ", with_hyphens(characters(movetext)))
    while (shorter := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = shorter
    word = re.split(r"[ \t\r\n\f})]", text.rstrip(SPACE))[-1]
    for pattern, number in (*SCORES, (r"\*", 3)):
        if re.fullmatch(pattern, word):
            return number
    return None


def result_of(tags, movetext):
    of_tag = result_of_tag(tags.get(b"Result", b""))
    if of_tag in (None, 3):
        of_movetext = result_of_movetext(movetext)
        return of_tag if of_movetext is None else of_movetext
    return of_tag


SPEEDS = (30, 180, 480, 1500, 21600)  # §15.4


NUMBER = r"[0-9]+(?:\.[0-9]+)?"
UNITS = {"h": 3600, "m": 60, "'": 60, "s": 1, '"': 1, "d": 86400}
UNIT = r"hours?|h|minutes|min|m|seconds|sec|s|days?|d(?![0-9])|'|\""
BASE = rf"(?P<base>{NUMBER}) ?(?P<unit>{UNIT})(?![a-z])(?: ?(?P<more>[0-9]+)(?: ?(?P<less>{UNIT})(?![a-z])|$))?"
#: The forms of a time control that are not those of PGN, and the units of their two numbers.
FORMS = (
    (r"g(?:ame)?[ /]?(?P<base>[0-9]+)(?:[ ;+]*(?:d|inc|\+)/?(?P<increment>[0-9]+))?", "m"),
    (rf"(?P<base>{NUMBER}) ?\| ?(?P<increment>{NUMBER})", "m"),
    (rf"(?:[^0-9]* )?(?:[0-9]+/)?{BASE}(?:/\w+)?(?: ?(?:\+|plus) ?(?P<increment>{NUMBER}) ?(?:s.*|\".*)?$)?", None),
)


def seconds_of(time_control):
    """The base time and the increment, or None."""
    is_clock = re.match(r"[0-9]{1,2}:[0-5][0-9](?![0-9])", time_control)
    match = not is_clock and re.fullmatch(rf"(?:[0-9]+/)?({NUMBER})(?:\+({NUMBER}))?", time_control.split(":")[0])
    if match:
        return float(match[1]), float(match[2] or 0)
    text = time_control.lower().replace("′", "'").replace("″", '"').replace("''", '"').strip(SPACE)
    for form, unit in FORMS:
        if match := re.match(form, text):
            found = match.groupdict()
            base = float(found["base"]) * UNITS[unit or found["unit"][0]]
            if found.get("more"):
                base += int(found["more"]) * UNITS[(found["less"] or "m")[0]]
            if re.search("(/|per )move", text) and not found["increment"]:
                return 0, base
            return base, float(found["increment"] or 0)
    return None


def speed_of(value):
    """The number of the speed of a time control, or None."""
    text = characters(value)
    times = seconds_of(text)
    if text == "-" or times and times[1] >= 86400:
        return 5
    return bisect.bisect_right(SPEEDS, times[0] + 40 * times[1]) if times and times[0] < 1 << 32 else None


# ------------------------------------------------------ the games, §15.4

ENDINGS = (
    (6, ("time forfeit", "on time", "timeout", "timeout vs insufficient material")),
    (5, ("resignation", "resigned", "resigns")),
    (7, ("agreement", "agreed")),
)
CHECKMATE, STALEMATE, INSUFFICIENT, REPETITION, FIFTY, RESIGNATION, _, AGREED = range(8)
NULL, END, VARIANT = 254, 255, 253
STANDARD_START = reader.Position().state()


class Facts:
    """What the index has of a game, computed from the game."""

    def __init__(self, game, is_chess):
        self.has_slot = is_chess and game.moves is not None
        self.is_variant = self.has_slot and game.start[0].rules != "chess"
        self.is_standard = self.has_slot and game.start[0].state() == STANDARD_START
        self.plies = len(game.moves) if self.has_slot else None
        self.keys, self.ordinals, self.materials = [], [], set()
        if self.has_slot:
            #: The plies since the last capture or pawn move, with those that the FEN counts.
            self.quiet = halfmove_clock(game.tags.get(b"FEN", b""))
            self.replay(*game.start, game.moves)
        self.read_tags(game.tags, game.text)

    def replay(self, position, _, moves):
        for move in [*moves, None]:
            self.keys.append(keys_of(position))
            self.materials |= {material_of(position.board)} - {None}
            if move is None:
                self.last, self.last.past = position, None  # the positions before it are not kept
                self.ordinals.append(END)
            elif move == reader.NULL_MOVE:
                self.ordinals.append(NULL)
            else:
                self.ordinals.append(position.legal_moves().index(move))
            if move:
                moves_pawn = move != reader.NULL_MOVE and position.board[move[0] or 0] in ("P", "p")
                is_quiet = not moves_pawn and (move == reader.NULL_MOVE or not position.captures(move))
                self.quiet = self.quiet + 1 if is_quiet else 0
                position = position.play(move)

    def read_tags(self, tags, movetext):
        tags = {name: text_of(value) for name, value in tags.items()}
        self.players = [tags.get(name) for name in (b"White", b"Black")]
        self.elo = [rating_of(tags.get(name, b"")) for name in (b"WhiteElo", b"BlackElo")]
        self.date = date_of(tags.get(b"UTCDate", b"")) or date_of(tags.get(b"Date", b""))
        self.result = result_of(tags, movetext)
        self.eco = eco_of(tags.get(b"ECO", b""))
        self.time_control, self.termination = (tags.get(name) for name in (b"TimeControl", b"Termination"))
        self.speed = speed_of(tags.get(b"TimeControl", b""))
        self.ending = self.ending_of(tags)

    def ending_of(self, tags):
        """The ending; None if it is not known."""
        by_moves = self.has_slot and not self.is_variant
        if by_moves and not self.last.legal_moves():
            return CHECKMATE if self.last.in_check() else STALEMATE
        termination = characters(tags.get(b"Termination", b"")).strip().lower()
        for ending, words in ENDINGS:
            if termination.endswith(words):
                return ending
        if not by_moves:
            return None
        if self.result == 2:
            if has_too_little_material(self.last.board):
                return INSUFFICIENT
            if self.keys.count(self.keys[-1]) >= 3:
                return REPETITION
            if self.quiet >= 100:
                return FIFTY
        if termination == "normal" and self.result in (0, 1, 2):
            return AGREED if self.result == 2 else RESIGNATION
        return None


def eco_of(value):
    match = re.match(rb"([A-E])([0-9]{2})(?![0-9])", value)
    return (match[1][0] - 65) * 100 + int(match[2]) if match else None


def has_too_little_material(board):
    pieces = [(piece.upper(), (square % 8 + square // 8) % 2) for square, piece in enumerate(board) if piece]
    others = [piece for piece in pieces if piece[0] != "K"]
    return [kind for kind, _ in others] == ["N"] or all(kind == "B" for kind, _ in others) and len(set(others)) < 2


def halfmove_clock(fen):
    fields = [field for field in fen.replace(b"_", b" ").split(b" ") if field]
    return int(fields[4]) if len(fields) > 4 and fields[4].isdigit() else 0
