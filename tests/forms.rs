//! Are games in the forms that people write read by the command: found, listed, exported, returned?

use serde_json::Value;

use crate::util::Folder;

#[test]
fn every_form_is_found_listed_exported_and_returned() {
    let forms = ign_testing::forms();
    let folder = Folder::new();
    let names: Vec<String> = (1..=forms.len()).map(|n| format!("{n}.pgn")).collect();
    for (name, form) in names.iter().zip(&forms) {
        folder.write(name, &form.text);
    }
    let names = names.iter().map(String::as_str);
    for coding in ["ign", "ign-end", "weighted"] {
        let pack = ["pack", "-q", "-f", "-o", "all.ign", "--coding", coding];
        folder
            .ign(&pack.into_iter().chain(names.clone()).collect::<Vec<_>>())
            .done();
        let unpacked = folder.ign(&["unpack", "-c", "all.ign"]).done();
        let texts: Vec<&str> = forms.iter().map(|form| &form.text[..]).collect();
        assert!(unpacked == texts.concat().as_bytes());
        let text = |args: &[&str]| String::from_utf8(folder.ign(args).done()).unwrap();
        let list = text(&["list", "all.ign"]);
        assert_eq!(list.lines().count(), forms.len());
        let export = ["export", "all.ign", "-c", "--format", "jsonl"];
        let rows = text(&export);
        let rows: Vec<Value> = rows
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        assert_eq!(rows.len(), forms.len());
        for (number, (form, (row, line))) in
            (1..).zip(forms.iter().zip(rows.iter().zip(list.lines())))
        {
            let moves = row["moves"].as_array().unwrap().iter();
            let moves: Vec<&str> = moves.map(|m| m.as_str().unwrap()).collect();
            assert_eq!(moves.join(" "), form.moves, "{}", form.text);
            for (tag, value) in form.tags.iter().flatten().take(1) {
                assert_eq!(row[tag], Value::from(&value[..]), "{}", form.text);
                assert_eq!(line.split('\t').nth(1), Some(&value[..]), "{}", form.text);
            }
            if let Some((name, value)) = &form.condition {
                let flag = format!("--{}", name.replace('_', "-"));
                let numbers = text(&["find", "all.ign", &flag, value]);
                assert!(
                    numbers.lines().any(|line| line == number.to_string()),
                    "{}",
                    form.text
                );
            }
            let game = folder.ign(&["get", "all.ign", &number.to_string()]);
            assert!(game.done() == form.text.as_bytes(), "{}", form.text);
        }
    }
}
