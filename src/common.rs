//! Options that every command has.

/// Options of every command.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Print no messages except errors
    #[arg(short, long, global = true, display_order = 900)]
    pub quiet: bool,
    /// Print to standard error what find reads for each condition, and the requests and bytes of
    /// archives on servers
    #[arg(long, global = true, display_order = 902)]
    pub explain: bool,
    /// Number of worker threads [default: the number of processors]
    #[arg(short = 'T', long, global = true, display_order = 901, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Common {
    /// The number of worker threads, at least 1.
    pub fn threads(&self) -> usize {
        let default = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(default, usize::from)
    }
}
