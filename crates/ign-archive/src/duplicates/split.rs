//! Games with equal moves, divided into records of one game each.

use rustc_hash::FxHashMap;

use super::{
    group::{Group, Member},
    players::{Identity, Name, SURE_PLIES},
};

/// Any name, in a key of the index.
const ANY: &str = "";
/// A name that is not known, in a key of the index. No word is equal to it.
const UNKNOWN: &str = "?";

/// Divides games with equal moves, the longest first: each joins the first group all of whose games
/// [agree](Identity::agrees) with it, or begins a new one. So any two games of a group agree, and
/// any of them may be kept for all.
pub fn split<'i>(games: &[Member], identity: impl Fn(&Member) -> &'i Identity) -> Vec<Group> {
    let mut groups: Vec<OneGame> = Vec::new();
    // Most games agree with few groups. The keys of a group are those of its first game.
    let mut by_players: FxHashMap<(&str, &str), Vec<usize>> = FxHashMap::default();
    let mut known: FxHashMap<(&Identity, usize), usize> = FxHashMap::default();
    for member in games {
        let identity = identity(member);
        let agrees = |group: &OneGame| {
            let mut others = group.stated.iter();
            others.all(|(other, plies)| identity.agrees(other, member.plies.min(*plies)))
        };
        let joined = known.get(&(identity, member.plies)).copied().or_else(|| {
            if member.plies >= SURE_PLIES {
                return groups.iter().position(agrees);
            }
            let keys = pairs(&sought(identity.white()), &sought(identity.black()));
            let mut candidates: Vec<usize> = keys
                .iter()
                .filter_map(|key| by_players.get(key))
                .flatten()
                .copied()
                .collect();
            candidates.sort_unstable();
            candidates.dedup();
            candidates.into_iter().find(|&group| agrees(&groups[group]))
        });
        let number = joined.unwrap_or(groups.len());
        if joined.is_none() {
            groups.push(OneGame::default());
            let keys = pairs(&stated(identity.white()), &stated(identity.black()));
            for key in keys {
                by_players.entry(key).or_default().push(number);
            }
        }
        let group = &mut groups[number];
        group.members.push(*member);
        if known.insert((identity, member.plies), number).is_none() {
            group.stated.push((identity, member.plies));
        }
    }
    groups
        .into_iter()
        .map(|group| Group(group.members))
        .collect()
}

/// Records of one game.
#[derive(Default)]
struct OneGame<'i> {
    members: Vec<Member>,
    /// What they state, without repetitions, and their plies.
    stated: Vec<(&'i Identity, usize)>,
}

/// The words under which a name is entered in the index.
fn stated(name: &Name) -> Vec<&str> {
    let unknown = (!name.is_known()).then_some(UNKNOWN);
    name.key_words().chain(unknown).chain([ANY]).collect()
}

/// The words under which names that may agree with this one are entered.
fn sought(name: &Name) -> Vec<&str> {
    if name.is_known() {
        name.key_words().chain([UNKNOWN]).collect()
    } else {
        vec![ANY]
    }
}

fn pairs<'w>(white: &[&'w str], black: &[&'w str]) -> Vec<(&'w str, &'w str)> {
    let with_black = |white| black.iter().map(move |black| (white, *black));
    white.iter().copied().flat_map(with_black).collect()
}

/// The keys by which games of players who may agree are found: they have one in common.
pub fn player_keys(identity: &Identity) -> impl Iterator<Item = (&str, &str)> {
    let (white, black) = (identity.white(), identity.black());
    white
        .key_words()
        .flat_map(|white| black.key_words().map(move |black| (white, black)))
}
