/** Names of the ECO codes, written by econames.mjs. */

const NAMES = `
A01 Nimzo-Larsen Attack
A02 Bird Opening
A03 Bird Opening
A04 Zukertort Opening
A05 Zukertort Opening
A06 Zukertort Opening
A07 King's Indian Attack
A08 King's Indian Attack
A09 Réti Opening
A10 English Opening
A11 English Opening: Caro-Kann Defensive System
A12 Réti Opening
A13 English Opening: Agincourt Defense
A14 English Opening
A15 English Opening: Anglo-Indian Defense
A16 English Opening
A17 English Opening
A18 English Opening: Mikenas-Carls Variation
A19 English Opening: Mikenas-Carls, Sicilian
A20 English Opening: King's English Variation
A21 English Opening
A22 English Opening
A23 English Opening: King's English Variation, Two Knights Variation, Keres Variation
A24 English Opening: King's English Variation, Two Knights Variation, Fianchetto Line
A25 English Opening
A26 English Opening: King's English Variation, Closed System, Full Symmetry
A27 English Opening: King's English Variation, Three Knights System
A28 English Opening: King's English Variation, Four Knights Variation
A29 English Opening: King's English Variation, Four Knights Variation, Fianchetto Line
A30 English Opening: Symmetrical Variation
A31 English Opening: Symmetrical Variation, Anti-Benoni Variation
A32 English Opening: Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
A33 English Opening: Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
A34 English Opening
A35 English Opening
A36 English Opening
A37 English Opening: Symmetrical Variation, Three Knights, Fianchetto Variation
A38 English Opening
A39 English Opening: Symmetrical Variation, Mecking Variation
A40 Queen's Pawn Game
A41 Queen's Pawn Game
A42 Modern Defense
A43 Benoni Defense
A44 Benoni Defense: Old Benoni
A45 Indian Defense
A46 Indian Defense
A47 Pseudo Queen's Indian Defense
A48 East Indian Defense
A49 Indian Defense: Przepiorka Variation
A50 Indian Defense
A51 Indian Defense: Budapest Defense
A52 Indian Defense: Budapest Defense
A53 Old Indian Defense
A54 Old Indian Defense
A55 Old Indian Defense: Normal Variation
A56 Benoni Defense
A57 Benko Gambit
A58 Benko Gambit Accepted
A59 Benko Gambit Accepted: Yugoslav
A60 Benoni Defense: Modern Variation
A61 Benoni Defense
A62 Benoni Defense: Fianchetto Variation
A63 Benoni Defense: Fianchetto Variation, Hastings Defense
A64 Benoni Defense: Fianchetto Variation, Hastings Defense, Main Line
A65 Benoni Defense: King's Pawn Line
A66 Benoni Defense: Pawn Storm Variation
A67 Benoni Defense: Taimanov Variation
A68 Benoni Defense: Four Pawns Attack
A69 Benoni Defense: Four Pawns Attack, Main Line
A70 Benoni Defense: Classical Variation
A71 Benoni Defense: Classical Variation, Averbakh-Grivas Attack
A72 Benoni Defense: Classical Variation
A73 Benoni Defense: Classical Variation, Main Line
A74 Benoni Defense: Classical Variation, Full Line
A75 Benoni Defense: Classical Variation, Argentine Counterattack
A76 Benoni Defense: Classical Variation, Czerniak Defense
A77 Benoni Defense: Classical Variation, Czerniak Defense, Tal Line
A78 Benoni Defense: Classical Variation, Czerniak Defense
A79 Benoni Defense: Classical Variation, Czerniak Defense
A80 Dutch Defense
A81 Dutch Defense
A82 Dutch Defense: Staunton Gambit
A83 Dutch Defense: Staunton Gambit
A84 Dutch Defense
A85 Dutch Defense: Queen's Knight Variation
A86 Dutch Defense
A87 Dutch Defense: Leningrad Variation
A88 Dutch Defense: Leningrad Variation, Warsaw Variation
A89 Dutch Defense: Leningrad Variation, Matulovic Variation
A90 Dutch Defense
A91 Dutch Defense: Classical Variation
A92 Dutch Defense
A93 Dutch Defense: Stonewall Variation, Botvinnik Variation
A94 Dutch Defense: Stonewall Variation
A95 Dutch Defense: Stonewall Variation
A96 Dutch Defense: Classical Variation
A97 Dutch Defense: Classical Variation, Ilyin-Zhenevsky Variation
A98 Dutch Defense: Classical Variation, Ilyin-Zhenevsky Variation, Alatortsev-Lisitsyn Line
A99 Dutch Defense: Classical Variation, Ilyin-Zhenevsky Variation, Modern Main Line
B00 King's Pawn Game
B01 Scandinavian Defense
B02 Alekhine Defense
B03 Alekhine Defense
B04 Alekhine Defense: Modern Variation
B05 Alekhine Defense
B06 Modern Defense
B07 King's Pawn Game
B08 Pirc Defense: Classical Variation
B09 Pirc Defense: Austrian Attack
B10 Caro-Kann Defense
B11 Caro-Kann Defense: Two Knights Attack, Mindeno Variation
B12 Caro-Kann Defense
B13 Caro-Kann Defense
B14 Caro-Kann Defense: Panov Attack
B15 Caro-Kann Defense
B16 Caro-Kann Defense: Finnish Variation
B17 Caro-Kann Defense: Karpov Variation
B18 Caro-Kann Defense: Classical Variation
B19 Caro-Kann Defense: Classical Variation
B20 Sicilian Defense
B21 Sicilian Defense: Smith-Morra Gambit
B22 Sicilian Defense: Alapin Variation
B23 Sicilian Defense: Closed
B24 Sicilian Defense
B25 Sicilian Defense: Closed
B26 Sicilian Defense: Closed
B27 Sicilian Defense
B28 Sicilian Defense: O'Kelly Variation
B29 Sicilian Defense: Nimzowitsch Variation
B30 Sicilian Defense
B31 Sicilian Defense: Nyezhmetdinov-Rossolimo Attack, Fianchetto Variation
B32 Sicilian Defense
B33 Sicilian Defense
B34 Sicilian Defense: Accelerated Dragon, Modern Variation
B35 Sicilian Defense: Accelerated Dragon, Modern Bc4 Variation
B36 Sicilian Defense: Accelerated Dragon, Maróczy Bind
B37 Sicilian Defense: Accelerated Dragon, Maróczy Bind
B38 Sicilian Defense: Accelerated Dragon, Maróczy Bind
B39 Sicilian Defense: Accelerated Dragon, Maróczy Bind, Breyer Variation
B40 Sicilian Defense
B41 Sicilian Defense: Kan Variation
B42 Sicilian Defense
B43 Sicilian Defense
B44 Sicilian Defense: Taimanov Variation
B45 Sicilian Defense: Taimanov Variation, Normal Variation
B46 Sicilian Defense: Taimanov Variation
B47 Sicilian Defense: Taimanov Variation, Bastrikov Variation
B48 Sicilian Defense: Taimanov Variation, Bastrikov Variation, English Attack
B49 Sicilian Defense: Taimanov Variation, Bastrikov Variation
B50 Sicilian Defense
B51 Sicilian Defense: Moscow Variation
B52 Sicilian Defense
B53 Sicilian Defense: Chekhover Variation
B54 Sicilian Defense
B55 Sicilian Defense: Prins Variation, Venice Attack
B56 Sicilian Defense
B57 Sicilian Defense
B58 Sicilian Defense: Classical Variation
B59 Sicilian Defense: Boleslavsky Variation
B60 Sicilian Defense: Richter-Rauzer Variation
B61 Sicilian Defense: Richter-Rauzer Variation, Modern Variation
B62 Sicilian Defense: Richter-Rauzer Variation
B63 Sicilian Defense
B64 Sicilian Defense: Richter-Rauzer Variation, Classical Variation
B65 Sicilian Defense: Richter-Rauzer Variation, Rauzer Attack
B66 Sicilian Defense: Richter-Rauzer Variation, Neo-Modern Variation, Early Deviations
B67 Sicilian Defense: Richter-Rauzer Variation, Neo-Modern Variation
B68 Sicilian Defense: Richter-Rauzer Variation, Neo-Modern Variation
B69 Sicilian Defense: Richter-Rauzer Variation, Neo-Modern Variation, Nyezhmetdinov Attack
B70 Sicilian Defense: Dragon Variation
B71 Sicilian Defense: Dragon Variation, Levenfish Variation
B72 Sicilian Defense: Dragon Variation
B73 Sicilian Defense: Dragon Variation, Classical Variation
B74 Sicilian Defense
B75 Sicilian Defense: Dragon Variation, Yugoslav Attack, Early Deviations
B76 Sicilian Defense: Dragon Variation, Yugoslav Attack
B77 Sicilian Defense
B78 Sicilian Defense: Dragon Variation, Yugoslav Attack
B79 Sicilian Defense: Dragon Variation, Yugoslav Attack
B80 Sicilian Defense: Scheveningen Variation
B81 Sicilian Defense: Scheveningen Variation, Keres Attack
B82 Sicilian Defense: Scheveningen Variation, Matanovic Attack
B83 Sicilian Defense
B84 Sicilian Defense: Scheveningen Variation, Classical Variation
B85 Sicilian Defense: Scheveningen Variation, Classical Variation, Paulsen Variation
B86 Sicilian Defense: Sozin Attack
B87 Sicilian Defense: Sozin Attack, Flank Variation
B88 Sicilian Defense: Sozin Attack, Leonhardt Variation
B89 Sicilian Defense: Sozin Attack, Main Line
B90 Sicilian Defense: Najdorf Variation
B91 Sicilian Defense: Najdorf Variation, Zagreb Variation
B92 Sicilian Defense: Najdorf Variation, Opocensky Variation
B93 Sicilian Defense: Najdorf Variation, Amsterdam Variation
B94 Sicilian Defense: Najdorf Variation
B95 Sicilian Defense: Najdorf Variation
B96 Sicilian Defense: Najdorf Variation
B97 Sicilian Defense: Najdorf Variation, Poisoned Pawn Variation
B98 Sicilian Defense: Najdorf Variation
B99 Sicilian Defense: Najdorf Variation, Main Line
C00 French Defense
C01 French Defense: Exchange Variation
C02 French Defense: Advance Variation
C03 French Defense: Tarrasch Variation
C04 French Defense: Tarrasch Variation, Guimard Defense, Main Line
C05 French Defense: Tarrasch Variation, Closed Variation
C06 French Defense: Tarrasch Variation, Closed Variation, Main Line
C07 French Defense: Tarrasch Variation, Open System
C08 French Defense: Tarrasch Variation, Open System
C09 French Defense: Tarrasch Variation, Open System, Main Line
C10 French Defense
C11 French Defense
C12 French Defense: MacCutcheon Variation
C13 French Defense
C14 French Defense: Classical Variation
C15 French Defense: Winawer Variation
C16 French Defense: Winawer Variation, Advance Variation
C17 French Defense
C18 French Defense
C19 French Defense
C20 King's Pawn Game
C21 Center Game Accepted
C22 Center Game
C23 Bishop's Opening
C24 Bishop's Opening
C25 Vienna Game
C26 Vienna Game
C27 Vienna Game
C28 Vienna Game
C29 Vienna Game: Vienna Gambit
C30 King's Gambit
C31 King's Gambit Declined: Falkbeer Countergambit
C32 King's Gambit Declined
C33 King's Gambit Accepted
C34 King's Gambit Accepted
C35 King's Gambit Accepted: Cunningham Defense
C36 King's Gambit Accepted: Modern Defense
C37 King's Gambit Accepted
C38 King's Gambit Accepted
C39 King's Gambit Accepted
C40 King's Knight Opening
C41 Philidor Defense
C42 Petrov's Defense
C43 Petrov's Defense: Modern Attack
C44 King's Knight Opening
C45 Scotch Game
C46 Three Knights Opening
C47 Four Knights Game
C48 Four Knights Game: Spanish Variation
C49 Four Knights Game
C50 Italian Game
C51 Italian Game: Evans Gambit
C52 Italian Game
C53 Italian Game: Classical Variation
C54 Italian Game
C55 Italian Game: Two Knights Defense
C56 Italian Game
C57 Italian Game
C58 Italian Game: Two Knights Defense, Polerio Defense
C59 Italian Game
C60 Ruy Lopez
C61 Ruy Lopez: Bird Variation
C62 Ruy Lopez: Steinitz Defense
C63 Ruy Lopez: Schliemann Defense
C64 Ruy Lopez: Classical Variation
C65 Ruy Lopez: Berlin Defense
C66 Ruy Lopez
C67 Ruy Lopez
C68 Ruy Lopez: Exchange Variation
C69 Ruy Lopez
C70 Ruy Lopez: Morphy Defense
C71 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
C72 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
C73 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
C74 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
C75 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
C76 Ruy Lopez: Morphy Defense, Modern Steinitz Defense, Fianchetto Variation
C77 Ruy Lopez
C78 Ruy Lopez: Morphy Defense
C79 Ruy Lopez: Morphy Defense, Steinitz Deferred
C80 Ruy Lopez: Open
C81 Ruy Lopez: Open, Howell Attack
C82 Ruy Lopez: Open
C83 Ruy Lopez
C84 Ruy Lopez: Closed
C85 Ruy Lopez: Closed, Delayed Exchange
C86 Ruy Lopez: Closed, Worrall Attack
C87 Ruy Lopez: Closed, Averbakh Variation
C88 Ruy Lopez: Closed
C89 Ruy Lopez: Marshall Attack
C90 Ruy Lopez: Closed
C91 Ruy Lopez: Closed, Yates Variation
C92 Ruy Lopez: Closed
C93 Ruy Lopez: Closed, Smyslov Defense
C94 Ruy Lopez: Closed, Breyer Defense
C95 Ruy Lopez: Closed, Breyer
C96 Ruy Lopez: Closed, Chigorin Defense
C97 Ruy Lopez: Closed, Chigorin Defense
C98 Ruy Lopez: Closed, Chigorin Defense
C99 Ruy Lopez: Closed, Chigorin Defense, Panov System
D00 Queen's Pawn Game
D02 Queen's Pawn Game
D03 Queen's Pawn Game: Torre Attack
D04 Queen's Pawn Game: Colle System
D05 Queen's Pawn Game
D06 Queen's Gambit
D07 Queen's Gambit Declined: Chigorin Defense
D08 Queen's Gambit Declined: Albin Countergambit
D09 Queen's Gambit Declined: Albin Countergambit, Fianchetto Variation
D10 Slav Defense
D11 Slav Defense
D12 Slav Defense
D13 Slav Defense: Exchange Variation
D14 Slav Defense: Exchange Variation, Symmetrical Line
D15 Slav Defense
D16 Slav Defense
D17 Slav Defense: Czech Variation
D18 Slav Defense: Czech Variation, Classical System
D19 Slav Defense: Czech Variation, Dutch Variation
D20 Queen's Gambit Accepted
D21 Queen's Gambit Accepted
D22 Queen's Gambit Accepted: Alekhine Defense
D23 Queen's Gambit Accepted
D24 Queen's Gambit Accepted
D25 Queen's Gambit Accepted
D26 Queen's Gambit Accepted
D27 Queen's Gambit Accepted
D28 Queen's Gambit Accepted: Classical Defense, Alekhine System
D29 Queen's Gambit Accepted: Classical Defense, Alekhine System, Main Line
D30 Queen's Gambit Declined
D31 Queen's Gambit Declined
D32 Tarrasch Defense
D33 Tarrasch Defense
D34 Tarrasch Defense
D35 Queen's Gambit Declined
D36 Queen's Gambit Declined: Exchange Variation, Reshevsky Variation
D37 Queen's Gambit Declined
D38 Queen's Gambit Declined: Ragozin Defense
D39 Queen's Gambit Declined: Ragozin Defense, Vienna Variation
D40 Queen's Gambit Declined: Semi-Tarrasch Defense
D41 Queen's Gambit Declined: Semi-Tarrasch Defense
D42 Queen's Gambit Declined: Semi-Tarrasch Defense, Main Line
D43 Semi-Slav Defense
D44 Semi-Slav Defense Accepted
D45 Semi-Slav Defense
D46 Semi-Slav Defense
D47 Semi-Slav Defense
D48 Semi-Slav Defense: Meran Variation
D49 Semi-Slav Defense
D50 Queen's Gambit Declined
D51 Queen's Gambit Declined
D52 Queen's Gambit Declined
D53 Queen's Gambit Declined
D54 Queen's Gambit Declined: Neo-Orthodox Variation
D55 Queen's Gambit Declined
D56 Queen's Gambit Declined: Lasker Defense
D57 Queen's Gambit Declined
D58 Queen's Gambit Declined: Tartakower Defense
D59 Queen's Gambit Declined: Tartakower Defense, Makogonov Exchange Variation
D60 Queen's Gambit Declined: Orthodox Defense
D61 Queen's Gambit Declined: Orthodox Defense, Rubinstein Variation
D62 Queen's Gambit Declined: Orthodox Defense, Rubinstein Variation, Flohr Line
D63 Queen's Gambit Declined
D64 Queen's Gambit Declined: Orthodox Defense, Rubinstein Attack
D65 Queen's Gambit Declined: Orthodox Defense, Rubinstein Attack
D66 Queen's Gambit Declined: Orthodox Defense, Bd3 Line
D67 Queen's Gambit Declined
D68 Queen's Gambit Declined: Orthodox Defense, Classical Variation
D69 Queen's Gambit Declined: Orthodox Defense, Classical Variation
D70 Neo-Grünfeld Defense
D71 Neo-Grünfeld Defense: Exchange Variation
D74 Neo-Grünfeld Defense: Delayed Exchange Variation
D75 Neo-Grünfeld Defense: Delayed Exchange Variation
D76 Neo-Grünfeld Defense: Delayed Exchange Variation
D77 Neo-Grünfeld Defense: Classical Variation
D78 Neo-Grünfeld Defense: Classical Variation, Original Defense
D79 Neo-Grünfeld Defense: Ultra-Delayed Exchange Variation
D80 Grünfeld Defense
D81 Grünfeld Defense: Russian Variation, Accelerated Variation
D82 Grünfeld Defense: Brinckmann Attack
D83 Grünfeld Defense: Brinckmann Attack, Grünfeld Gambit
D84 Grünfeld Defense: Brinckmann Attack, Grünfeld Gambit Accepted
D85 Grünfeld Defense: Exchange Variation
D86 Grünfeld Defense
D87 Grünfeld Defense: Exchange Variation, Spassky Variation
D88 Grünfeld Defense: Exchange Variation, Spassky Variation
D89 Grünfeld Defense: Exchange Variation, Spassky Variation
D90 Grünfeld Defense: Three Knights Variation
D91 Grünfeld Defense: Three Knights Variation, Petrosian System
D92 Grünfeld Defense: Three Knights Variation, Hungarian Attack
D93 Grünfeld Defense: Three Knights Variation, Hungarian Variation
D94 Grünfeld Defense
D95 Grünfeld Defense
D96 Grünfeld Defense: Russian Variation
D97 Grünfeld Defense: Russian Variation
D98 Grünfeld Defense: Russian Variation, Smyslov Variation
D99 Grünfeld Defense: Russian Variation, Smyslov Variation
E01 Catalan Opening: Closed
E02 Catalan Opening: Open Defense
E03 Catalan Opening: Open Defense
E04 Catalan Opening: Open Defense
E05 Catalan Opening: Open Defense, Classical Line
E06 Catalan Opening: Closed
E07 Catalan Opening: Closed
E08 Catalan Opening: Closed
E09 Catalan Opening: Closed, Main Line
E10 Indian Defense
E11 Bogo-Indian Defense
E12 Queen's Indian Defense
E13 Queen's Indian Defense: Kasparov Variation
E14 Queen's Indian Defense: Spassky System
E15 Queen's Indian Defense: Fianchetto Variation
E16 Queen's Indian Defense
E17 Queen's Indian Defense
E18 Queen's Indian Defense: Classical Variation, Traditional Variation
E19 Queen's Indian Defense: Classical Variation, Traditional Variation, Main Line
E20 Nimzo-Indian Defense
E21 Nimzo-Indian Defense: Three Knights Variation
E22 Nimzo-Indian Defense: Spielmann Variation
E23 Nimzo-Indian Defense
E24 Nimzo-Indian Defense: Sämisch Variation
E25 Nimzo-Indian Defense: Sämisch Variation
E26 Nimzo-Indian Defense: Sämisch Variation
E27 Nimzo-Indian Defense: Sämisch Variation
E28 Nimzo-Indian Defense: Sämisch Variation
E29 Nimzo-Indian Defense: Sämisch Variation
E30 Nimzo-Indian Defense: Leningrad Variation
E31 Nimzo-Indian Defense: Leningrad Variation, Benoni Defense
E32 Nimzo-Indian Defense: Classical Variation
E33 Nimzo-Indian Defense: Classical Variation, Zurich Variation
E34 Nimzo-Indian Defense: Classical Variation, Noa Variation
E35 Nimzo-Indian Defense: Classical Variation, Noa Variation
E36 Nimzo-Indian Defense: Classical Variation, Noa Variation
E37 Nimzo-Indian Defense: Classical Variation, Noa Variation
E38 Nimzo-Indian Defense: Classical Variation, Berlin Variation
E39 Nimzo-Indian Defense: Classical Variation, Berlin Variation, Pirc Variation
E40 Nimzo-Indian Defense: Rubinstein System
E41 Nimzo-Indian Defense: Rubinstein System
E42 Nimzo-Indian Defense: Rubinstein System, Rubinstein Variation
E43 Nimzo-Indian Defense: St. Petersburg Variation
E44 Nimzo-Indian Defense: St. Petersburg Variation
E45 Nimzo-Indian Defense: St. Petersburg Variation, Fischer Variation
E46 Nimzo-Indian Defense
E47 Nimzo-Indian Defense: Normal Variation
E48 Nimzo-Indian Defense: Normal Variation, Classical Defense
E49 Nimzo-Indian Defense: Normal Variation, Botvinnik System
E50 Nimzo-Indian Defense
E51 Nimzo-Indian Defense
E52 Nimzo-Indian Defense: Normal Variation, Schlechter Defense
E53 Nimzo-Indian Defense: Normal Variation, Gligoric System
E54 Nimzo-Indian Defense: Normal Variation, Gligoric System, Exchange Variation
E55 Nimzo-Indian Defense: Normal Variation, Gligoric System, Bronstein Variation
E56 Nimzo-Indian Defense: Normal Variation, Gligoric System, Bernstein Defense
E58 Nimzo-Indian Defense: Normal Variation, Bernstein Defense, Exchange Line
E59 Nimzo-Indian Defense: Normal Variation, Bernstein Defense
E60 Indian Defense
E61 King's Indian Defense
E62 King's Indian Defense
E63 King's Indian Defense: Fianchetto Variation, Panno Variation
E64 King's Indian Defense: Fianchetto Variation, Yugoslav Variation, Rare Line
E65 King's Indian Defense: Fianchetto Variation, Yugoslav Variation
E66 King's Indian Defense: Fianchetto Variation, Yugoslav Variation, Advance Line
E67 King's Indian Defense
E68 King's Indian Defense: Fianchetto Variation, Classical Variation
E69 King's Indian Defense: Fianchetto Variation, Classical Main Line
E70 King's Indian Defense: Normal Variation
E71 King's Indian Defense: Makogonov Variation
E72 King's Indian Defense: Normal Variation, Deferred Fianchetto
E73 King's Indian Defense
E74 King's Indian Defense: Averbakh Variation, Benoni Defense
E75 King's Indian Defense: Averbakh Variation, Main Line
E76 King's Indian Defense: Four Pawns Attack
E77 King's Indian Defense: Four Pawns Attack
E78 King's Indian Defense: Four Pawns Attack, Fluid Attack
E79 King's Indian Defense: Four Pawns Attack, Exchange Variation
E80 King's Indian Defense: Sämisch Variation
E81 King's Indian Defense
E82 King's Indian Defense: Sämisch Variation, Double Fianchetto
E83 King's Indian Defense
E84 King's Indian Defense: Sämisch Variation, Panno Main Line
E85 King's Indian Defense: Sämisch Variation, Orthodox Variation
E86 King's Indian Defense: Sämisch Variation
E87 King's Indian Defense
E89 King's Indian Defense: Sämisch Variation, Closed Variation, Main Line
E90 King's Indian Defense
E91 King's Indian Defense: Orthodox Variation
E92 King's Indian Defense
E93 King's Indian Defense: Petrosian Variation, Normal Defense
E94 King's Indian Defense: Orthodox Variation
E95 King's Indian Defense: Orthodox Variation
E96 King's Indian Defense: Orthodox Variation, Positional Defense, Main Line
E97 King's Indian Defense
E98 King's Indian Defense: Orthodox Variation, Classical System
E99 King's Indian Defense: Orthodox Variation, Classical System, Traditional Line
`;

let names: Map<string, string> | null = null;

/** The name of a code; undefined for a code of several openings. */
export function ecoName(code: string): string | undefined {
  names ??= new Map(
    NAMES.trim()
      .split('\n')
      .map((line) => [line.slice(0, 3), line.slice(4)]),
  );
  return names.get(code);
}
