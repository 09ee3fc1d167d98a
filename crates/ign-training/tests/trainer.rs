//! Does training improve the model on the games of inputs, whatever the number of threads, and
//! refuse other inputs?

use std::{fs, ops::ControlFlow};

use ign_archive::{Archive, ErrorKind, Input, ModelFile, Packer};
use ign_testing::{games, variant_games};
use ign_training::{Progress, Trainer};

/// Games of random moves in all variants.
fn random_games() -> String {
    variant_games(12)
}

fn trainer(threads: usize) -> Trainer<'static> {
    Trainer::new().passes(1.0).threads(threads)
}

fn input(text: &str) -> [Input; 1] {
    [Input::reader(
        "games.pgn",
        std::io::Cursor::new(text.as_bytes().to_vec()),
    )]
}

#[test]
fn a_model_trained_on_variants_predicts_and_packs_them_better() {
    let text = random_games();
    let trained = trainer(2).train(input(&text)).unwrap();
    let (before, after) = (trained.before.bits(), trained.after.bits());
    assert!(
        trained.is_better() && after < 0.97 * before,
        "{before} {after}"
    );
    assert_eq!(trained.used, trained.found);
    // Antichess, Atomic, Horde and Racing Kings.
    assert!(trained.unpredicted > 50 && trained.found > 100);
    assert!(trained.pays_from().is_some());

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.model");
    fs::write(&path, trained.model()).unwrap();
    let model = ModelFile::open(&path).unwrap();
    let builtin = |text| Packer::new().pack(input(text), Vec::new()).unwrap().0;
    let with_model = |text| {
        let packer = Packer::new().model(&model).unwrap();
        packer.pack(input(text), Vec::new()).unwrap().0
    };
    let few = "1. e4 *\n";
    let models = with_model(few).len() - builtin(few).len();
    let packed = with_model(&text);
    let (now, formerly) = (packed.len() - models, builtin(&text).len());
    assert!(now < formerly, "{now} {formerly}");
    let archive = Archive::from_read_at(packed, "games.ign").unwrap();
    let read = std::io::read_to_string(archive.reader()).unwrap();
    assert!(read == text);
}

#[test]
fn the_model_does_not_depend_on_the_number_of_threads() {
    let text = random_games();
    let one = trainer(1).games(110).train(input(&text)).unwrap();
    assert_eq!((one.used, one.games), (110, 88));
    assert!(one.found > 110);
    let more = trainer(3).games(110).train(input(&text)).unwrap();
    assert!(one.model() == more.model());
    assert_eq!((one.before, one.after), (more.before, more.after));
    let other = trainer(3).games(110).seed(2).train(input(&text)).unwrap();
    assert!(one.model() != other.model());
}

#[test]
fn inputs_with_too_few_different_games_are_errors() {
    let of = |text: String, said: &str| {
        let error = trainer(2).train(input(&text)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        let error = error.to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.contains("at least 100 different games"), "{error}");
    };
    let some = |count| String::from_utf8(games(count)).unwrap();
    of(String::new(), "no games to train on");
    of("no chess\n".repeat(100), "no games to train on");
    of(some(1), "1 game is too few");
    of(some(3), "3 games are too few");
    of(some(9).repeat(50), "9 games are too few");
    let atomic = "[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    of(atomic.repeat(200), "200 of variants");
}

#[test]
fn a_training_can_be_cancelled_at_any_step() {
    let text = random_games();
    let cancelled = |at: fn(Progress) -> bool| {
        let stop = |progress| {
            if at(progress) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let error = trainer(1).on_progress(stop).train(input(&text));
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Cancelled);
    };
    cancelled(|progress| matches!(progress, Progress::Reading { .. }));
    cancelled(|progress| matches!(progress, Progress::Training { step: 2, .. }));
}
