//! Games of Go, as SGF.

/// Records of all kinds: well-formed ones, and those that no model expects.
pub const ODD: [&str; 30] = [
    "(;GM[1]FF[4]SZ[19]PB[A]PW[B];B[pd];W[dp];B[pp](;W[dd];B[qn])(;W[dc]C[or so];B[de]))\n",
    "(;SZ[9]AB[aa][bb]AW[cc];W[dd];B[];W[ee])\n",
    "(;SZ[9:5];B[aa];B[bb];W[tt];W[cc])",
    "(;SZ[52];B[ZZ];W[AA];B[];W[tt])\n\n\n",
    "(;SZ[60];B[aa];W[bb])\n",
    "(;GM[3];B[aa];W[bb])\n",
    "(;B[aa];W[aa];B[cc](;W[dd])(;W[ee]))\n",
    "(;SZ[5];B[aa]C[a \\] b [ c \\\\];W[bb]LB[aa:1][bb:2]\n[cc:3];B[cc])\n",
    "(;SZ[5](;B[aa](;W[bb](;B[cc](;W[dd]))))(;B[ee]))\n",
    "(;SZ[5];B[aa];W[bb]AB[cc];B[dd](;W[ee]))\n",
    "(;SZ[5];B[aa];W[bb]",
    "\n(;GM[1];B[aa]C[never ends\n",
    "\n(;GM[1]PB[x]PB[(y)]PB[a long value that does not stay where it was found];B[aa])\n",
    "(;C[line\nbreaks\n]EV[x];B[aa]\n;W[bb]\n;B[cc])\n",
    "(;)(;)(;B[aa])(;B[bb])",
    "(;SZ[5];B[aa];W[ab];B[ba]W[bb];B[cc];W[ca];B[ac])\n",
    "text between games (not one)\n",
    "(;B[])(;W[])(;B[tt];W[])",
    "(;SZ[1];B[aa];W[])\n",
    "(;SZ[2]RU[NZ];B[aa];W[ab];B[bb];W[ba])\n",
    "(;\u{1}PB[\u{2}]\u{3};B[aa]\u{4};W[bb])\n",
    "( ; SZ [ 5 ] ; B[aa] ; W [bb] ; B[cc] )\n",
    "(;Black[aa];White[bb])\n",
    "(;SZ[3];B[aa];W[cc];B[ac];W[ca];B[bb];W[ab];B[ba];W[bc];B[cb];W[aa])\n",
    "(;PB[\u{6797}\u{6d77}\u{5cf0}]PW[\u{8d99}\u{6cbb}\u{52f3}];B[pd])\n",
    "))((;B[aa])\n",
    "(;HA[2]AB[dd][pp];B[aa];W[bb];B[cc])\n",
    "(;B[aa]BL[1799.5]OB[5];W[bb]WL[1798];B[cc]BL[1790])\r\n",
    "(;AB[aa:cc]PL[B];B[dd];W[ee])\n",
    "\u{feff}",
];

/// A collection of regular games, by a simple rule.
pub fn collection(games: usize) -> String {
    let mut out = String::new();
    let mut seed = 1u64;
    for game in 0..games {
        out += &format!(
            "(;GM[1]FF[4]SZ[19]\nPB[Ann {}]PW[Bob]\nRE[B+R]\n\n",
            game % 7
        );
        for ply in 0..80 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            let at = seed >> 33;
            let point = [at % 19, at / 19 % 19].map(|line| (b'a' + line as u8) as char);
            let color = ["B", "W"][ply % 2];
            out += &format!(";{color}[{}{}]", point[0], point[1]);
            if ply % 10 == 9 {
                out.push('\n');
            }
        }
        out += ")\n\n";
    }
    out
}
