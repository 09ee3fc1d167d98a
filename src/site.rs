//! `ign site`

#![allow(
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    archive_file::open_archive,
    common::Common,
    json::{
        self, JsonArg,
        written::{Published, PublishedArchive},
    },
    messages::say,
    numbers::{counted, grouped, seconds},
    output::{Output, create_folder},
};
use ign_archive::{Archive, Error, NewFile, Result, index, location::is_address};

/// The file that says what a site has.
const SITE: &str = "site.json";
/// The document of the page.
const DOCUMENT: &str = "index.html";
/// The title in the document of `ign serve`.
const TITLE: &str = "<title>ign</title>";
/// What the page of a site may load: itself, and archives of any server. `ign serve` states its
/// policy in a header.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self' https: http:; base-uri 'none'; form-action 'none'";

const EXAMPLES: &str = "\
Examples:
  ign site games.ign -o public --title \"Chess club of Ljubljana\"
  ign site 2023.ign 2024.ign -o public
  ign site -f 2023.ign 2024.ign 2025.ign -o public     again, with more archives
  ign site games.ign -o public --url https://data.example/chess/";

/// Write a folder that any web server can show: the page of ign serve, without ign serve
///
/// The folder has the page, a module that reads archives in the browser, the archives, their
/// indexes and site.json, which lists them. Copy it to a web server, to GitHub Pages or to S3:
/// visitors see a board, the moves of each position with their results, searches, games and
/// statistics, and load only the parts of the archives that these need. Nothing runs on the server.
///
/// The server must answer range requests: nginx, Apache, Caddy, GitHub Pages and S3 do. "python3
/// -m http.server" does not; to try a site on this machine, run "npx http-server" or "caddy
/// file-server" in the folder. It must not compress .ign and .idx files.
///
/// An index beside an archive is copied with it. Without one, searches read large parts of the
/// archive: ign index makes one.
///
/// With --url the archives are not copied. Put each with its index at this address, under the names
/// that they have here. If that is another server than that of the page, it must allow the page to
/// read them (CORS): it must answer with the headers Access-Control-Allow-Origin: * and
/// Access-Control-Expose-Headers: Content-Range, ETag.
///
/// The folder must be new or empty. -f replaces a site that ign site has written. Its title and its
/// --url are not kept: give them again.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to show
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Write the site into this folder, which is made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Title of the page [default: the name of the archive, or "Chess games"]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The archives are at this address, and are not copied
    #[arg(long, value_name = "BASE", value_parser = base)]
    url: Option<String>,
    /// Replace the site that is in the folder
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    json: JsonArg,
}

/// Reads the address of a folder on a web server. It ends with a slash, so that names can follow.
fn base(text: &str) -> Result<String> {
    let lower = text.to_ascii_lowercase();
    let server = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    if !server.is_some_and(|name| !name.is_empty() && !name.starts_with('/'))
        || text.contains(['?', '#'])
    {
        return Err(
            Error::usage("is not the address of a folder on a web server")
                .with_remedy("write it as https://data.example/chess/"),
        );
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

/// `site.json`.
#[derive(Debug, Serialize)]
struct Site<'a> {
    /// The version of this file.
    site: u32,
    title: &'a str,
    /// The version of the program.
    version: &'static str,
    /// Where the archives are; null if they are beside this file.
    url: Option<&'a str>,
    archives: &'a [Entry],
    /// As `/api/conditions` lists them.
    conditions: Value,
}

/// The version of `site.json`.
const VERSION: u32 = 1;

/// An archive of a site.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The name of the source.
    name: String,
    /// The name of the file as part of an address: `%20` for a space. That of the index has `.idx`
    /// added.
    file: String,
    games: u64,
    bytes: u64,
    /// Bytes of the index; null if there is none.
    index_bytes: Option<u64>,
}

impl Entry {
    fn index_file(&self) -> String {
        format!("{}.idx", self.file)
    }

    fn files(&self) -> impl Iterator<Item = String> {
        [self.file.clone(), self.index_file()].into_iter()
    }
}

/// A name as part of an address.
fn encoded(name: &OsStr) -> String {
    let bytes = name.as_encoded_bytes().iter();
    bytes.fold(String::new(), |mut text, &byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(byte.into());
        } else {
            text += &format!("%{byte:02X}");
        }
        text
    })
}

/// What a site that was written before has.
#[derive(Debug, Deserialize)]
struct Former {
    archives: Vec<Entry>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let entries = entries(args, common)?;
    let former = former(args)?;
    let name = match &entries[..] {
        [only] => &only.name,
        _ => "Chess games",
    };
    let title = args.title.as_deref().unwrap_or(name);
    let mut files = page(title, args, &entries)?;
    create_folder(&args.output)?;
    let mut outputs = Vec::new();
    let mut written: BTreeSet<String> = files.keys().map(ToString::to_string).collect();
    let mut bytes: u64 = 0;
    // If the command is killed while the files get their names, -f replaces what has this one.
    let first = files.remove_entry(SITE);
    for (name, contents) in first.into_iter().chain(files) {
        let mut out = Output::file(&args.output.join(name), args.force)?;
        out.write_all(&contents)?;
        outputs.push(out);
        bytes += contents.len() as u64;
    }
    if args.url.is_none() {
        for (entry, path) in entries.iter().zip(&args.archives) {
            let index_path = index::path_of(path);
            let index = entry
                .index_bytes
                .map(|len| (&index_path, len, entry.index_file()));
            let archive = (path, entry.bytes, entry.file.clone());
            for (path, len, address) in [archive].into_iter().chain(index) {
                outputs.push(copy(path, len, args)?);
                written.insert(address);
                bytes += len;
            }
        }
    }
    Output::finish_all(outputs)?;
    let former: BTreeSet<String> = former.iter().flat_map(Entry::files).collect();
    for file in fs::read_dir(&args.output)?.flatten() {
        let address = encoded(&file.file_name());
        if former.contains(&address) && !written.contains(&address) {
            _ = fs::remove_file(file.path());
        }
    }
    let report = Published {
        output: json::name(&args.output),
        title: title.to_owned(),
        archives: entries.len() as u64,
        published: entries
            .iter()
            .map(|entry| PublishedArchive {
                name: entry.name.clone(),
                games: entry.games,
                archive_bytes: entry.bytes,
                index_bytes: entry.index_bytes,
            })
            .collect(),
        files: written.len() as u64,
        bytes,
        seconds: json::seconds(start),
    };
    args.json.report(common, &report, || {
        say(format_args!(
            "{}: wrote a site of {}, {} files, {} bytes, in {}",
            args.output.display(),
            counted(entries.iter().map(|entry| entry.games).sum(), "game"),
            grouped(written.len() as u64),
            grouped(bytes),
            seconds(start.elapsed())
        ));
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the archives and their indexes, and names them.
fn entries(args: &Args, common: &Common) -> Result<Vec<Entry>> {
    let page: BTreeSet<&str> = ign_server::page_files()
        .map(|(name, _)| name)
        .chain([SITE])
        .collect();
    let mut entries: Vec<Entry> = Vec::new();
    for path in &args.archives {
        if is_address(&path.to_string_lossy()) {
            return Err(Error::usage("is not a file of this machine")
                .with_remedy(
                    "download it; or open the page of a site with ?archive= and this address",
                )
                .in_file(path));
        }
        let archive = open_archive(path, common)?;
        let entry = entry(path, &archive, common)?;
        let is_taken = entries
            .iter()
            .flat_map(Entry::files)
            .any(|file| entry.files().any(|own| own.eq_ignore_ascii_case(&file)));
        if is_taken || entry.files().any(|file| page.contains(&*file)) {
            return Err(Error::usage(format!(
                "another file of the site has the name {}",
                entry.file
            ))
            .with_remedy("rename one of them")
            .in_file(path));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(path: &Path, archive: &Archive, common: &Common) -> Result<Entry> {
    let index_path = index::path_of(path);
    let has_index = archive.search_index().is_some();
    if archive.rejected_index().is_some() {
        return Err(Error::usage(format!(
            "the index is not that of {}, or damaged",
            path.display()
        ))
        .with_remedy("build it again: ign index -f")
        .in_file(&index_path));
    }
    if !has_index && !common.quiet {
        say(format_args!(
            "warning: {} has no index, so searches on the page read large parts of it; ign index makes one",
            path.display()
        ));
    }
    let len = |path: &Path| {
        fs::metadata(path)
            .map(|data| data.len())
            .map_err(|e| Error::from(e).in_file(path))
    };
    let shown = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Entry {
        name: shown.strip_suffix(".ign").unwrap_or(&shown).to_owned(),
        games: archive.len(),
        bytes: archive.file_len(),
        index_bytes: has_index.then(|| len(&index_path)).transpose()?,
        file: encoded(path.file_name().unwrap_or_default()),
    })
}

/// The archives of the site that is in the folder, and is to be replaced.
fn former(args: &Args) -> Result<Vec<Entry>> {
    let folder = &args.output;
    if folder.is_file() {
        return Err(Error::usage("is a file, and -o names a folder here").in_file(folder));
    }
    // A command that was killed may have left temporary files, which are removed.
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| NewFile::is_temporary(&entry.file_name())))
    });
    if is_empty {
        return Ok(Vec::new());
    }
    let text = fs::read(folder.join(SITE)).ok();
    let former: Option<Former> = text.and_then(|text| serde_json::from_slice(&text).ok());
    match former {
        None => Err(
            Error::usage("the folder has other files than those of a site")
                .with_remedy("name a new folder with -o")
                .in_file(folder),
        ),
        Some(_) if !args.force => Err(Error::usage("the folder has a site already")
            .with_remedy("-f replaces it")
            .in_file(folder)),
        Some(former) => Ok(former.archives),
    }
}

/// The files of the page and `site.json`, by their names.
fn page<'a>(title: &str, args: &Args, entries: &[Entry]) -> Result<BTreeMap<&'a str, Vec<u8>>> {
    let mut files: BTreeMap<&str, Vec<u8>> = ign_server::page_files()
        .map(|(name, bytes)| (name, bytes.to_vec()))
        .collect();
    if let Some(document) = files.get_mut(DOCUMENT) {
        *document = of_site(&String::from_utf8_lossy(document), title).into_bytes();
    }
    let conditions = ign_server::conditions()["conditions"].take();
    let site = Site {
        site: VERSION,
        title,
        version: env!("CARGO_PKG_VERSION"),
        url: args.url.as_deref(),
        archives: entries,
        conditions,
    };
    let text = serde_json::to_vec(&site).map_err(io::Error::from)?;
    files.insert(SITE, text);
    Ok(files)
}

/// The document of a site, from that of `ign serve`.
fn of_site(document: &str, title: &str) -> String {
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"ign-site\" content=\"{SITE}\">\n\
         <title>{}</title>",
        escaped(title)
    );
    document.replacen(TITLE, &head, 1)
}

/// Text as it is written in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Copies the bytes that a file had when it was opened: an archive may grow meanwhile.
fn copy(from: &Path, bytes: u64, args: &Args) -> Result<Output> {
    let to = args.output.join(from.file_name().unwrap_or_default());
    Output::refuse_inputs(&to, args.archives.iter().map(PathBuf::as_path))?;
    let source = File::open(from).map_err(|e| Error::from(e).in_file(from))?;
    let mut out = Output::file(&to, args.force)?;
    let copied = io::copy(&mut source.take(bytes), &mut out)?;
    if copied < bytes {
        return Err(Error::new(
            ign_archive::ErrorKind::Io,
            "became shorter while it was copied",
        )
        .in_file(from));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_of_a_site_names_it_and_is_otherwise_that_of_the_server() {
        let (_, document) = ign_server::page_files()
            .find(|(name, _)| *name == DOCUMENT)
            .unwrap();
        let document = str::from_utf8(document).unwrap();
        let site = of_site(document, "A & <B>");
        assert!(site.contains(
            "<meta name=\"ign-site\" content=\"site.json\">\n<title>A &amp; &lt;B&gt;</title>"
        ));
        let (start, rest) = document.split_once(TITLE).unwrap();
        assert!(site.starts_with(start) && site.ends_with(rest));
    }

    #[test]
    fn names_are_encoded_in_addresses() {
        assert_eq!(encoded(OsStr::new("a b#ü%.ign")), "a%20b%23%C3%BC%25.ign");
    }

    #[test]
    fn addresses_of_folders_end_with_a_slash() {
        for (text, read) in [
            ("https://a.example", Some("https://a.example/")),
            ("http://a.example/b//", Some("http://a.example/b/")),
            ("https://", None),
            ("a.example", None),
            ("https://a.example/b?c", None),
        ] {
            assert_eq!(base(text).ok().as_deref(), read, "{text}");
        }
    }
}
