//! Measures both passes over a table of a million rows and ten columns, on one core.
//!
//! Run: `cargo run --release --example speed`

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tidings_tables::{
    Cells, ColumnGuess, ColumnKind, Country, CustomField, Format, Hints, Match, Options, ReadOptions, TableReader,
    match_headings, parse,
};

/// The rows of one piece; the piece is read again and again.
const ROWS_OF_PIECE: usize = 1_000;
const ROWS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let heading = "Kundennummer;E-Mail;Telefon;Vorname;Nachname;Sprache;Tags;Geburtstag;Umsatz;Kunde seit\r\n";
    let mut piece = String::new();
    for row in 0..ROWS_OF_PIECE {
        let (day, month) = (row % 28 + 1, row % 12 + 1);
        write!(piece, "K-{row:06};user{row}@example.com;0170 {:07};Jürgen;von Übersee {row};de_DE;", 1_000_000 + row)?;
        write!(piece, "\"Kunde, Newsletter\";{day:02}.{month:02}.19{:02};{}.{:03},50;", row % 100, row % 9 + 1, row)?;
        write!(piece, "{day:02}.{month:02}.2025 {:02}:30\r\n", row % 24)?;
    }
    let megabytes = (heading.len() + piece.len() * ROWS / ROWS_OF_PIECE) / 1_000_000;
    println!("{ROWS} rows, 10 columns, {megabytes} MB");
    for name in ["utf-8", "windows-1252"] {
        let (heading, piece) = match name {
            "utf-8" => (heading.as_bytes().to_vec(), piece.clone().into_bytes()),
            _ => (heading.as_bytes().to_vec(), encoding_rs::WINDOWS_1252.encode(&piece).0.into_owned()),
        };
        measure(name, &heading, &piece)?;
    }
    let status = std::fs::read_to_string("/proc/self/status")?;
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    Ok(())
}

/// Wall time and processor time.
struct Clock {
    wall: Instant,
    processor: Duration,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time() }
    }

    fn elapsed(&self) -> String {
        let processor = processor_time().saturating_sub(self.processor);
        format!("{:.2} s ({:.2} s of processor time)", self.wall.elapsed().as_secs_f64(), processor.as_secs_f64())
    }
}

/// The processor time of this thread, by the statistics of the Linux scheduler.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or_default())
}

fn measure(name: &str, heading: &[u8], piece: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let start = Clock::start();
    read_all(heading, piece, |_, _| ())?;
    let reading = start.elapsed();

    let mut guesses: Vec<ColumnGuess> = Vec::new();
    let start = Clock::start();
    let headings = read_all(heading, piece, |headings, cells| {
        if guesses.is_empty() {
            guesses = columns(headings);
        }
        for (guess, cell) in guesses.iter_mut().zip(cells.iter()) {
            guess.add(0, cell);
        }
    })?;
    let first = start.elapsed();
    let guesses: Vec<_> = guesses.into_iter().map(ColumnGuess::finish).collect();
    let formats: Vec<Format> = guesses.iter().map(|it| it.format().unwrap_or(Format::Text)).collect();
    for (heading, guess) in headings.iter().zip(&guesses) {
        println!("  {heading}: {:?}", guess.outcome);
    }

    let (mut values, mut errors) = (0_u64, 0_u64);
    let options = Options::default();
    let start = Clock::start();
    read_all(heading, piece, |_, cells| {
        for (format, cell) in formats.iter().zip(cells.iter()) {
            match parse(cell, *format, &options) {
                Ok(value) => values += u64::from(value.is_some()),
                Err(_) => errors += 1,
            }
        }
    })?;
    let second = start.elapsed();
    println!("{name}: reading alone {reading}, first pass {first}, second pass {second}");
    println!("  {values} values, {errors} errors");
    Ok(())
}

/// Reads all rows, and returns the headings.
fn read_all(
    heading: &[u8],
    piece: &[u8],
    mut row: impl FnMut(&[String], Cells<'_>),
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut reader = TableReader::new(ReadOptions::default());
    reader.push(heading)?;
    for part in std::iter::repeat_n(piece, ROWS / ROWS_OF_PIECE) {
        reader.push(part)?;
        drain(&mut reader, &mut row)?;
    }
    reader.finish()?;
    drain(&mut reader, &mut row)?;
    Ok(reader.headings().unwrap_or_default().to_vec())
}

fn drain(
    reader: &mut TableReader,
    row: &mut impl FnMut(&[String], Cells<'_>),
) -> Result<(), Box<dyn std::error::Error>> {
    let Some(headings) = reader.read_headings()?.map(<[String]>::to_vec) else { return Ok(()) };
    while let Some(next) = reader.next_row()? {
        row(&headings, next.cells?);
    }
    Ok(())
}

/// The guess of each column.
fn columns(headings: &[String]) -> Vec<ColumnGuess> {
    let field =
        |key: &str, name: &str, kind| CustomField { key: key.to_owned(), name: name.to_owned(), kind, options: vec![] };
    let fields = [
        field("birthday", "Geburtstag", ColumnKind::Date),
        field("revenue", "Umsatz", ColumnKind::Number),
        field("since", "Kunde seit", ColumnKind::DateTime),
    ];
    let hints = Hints { locales: vec!["de".to_owned()], country: Country::parse("DE") };
    let matches = match_headings(headings, &fields, &[]).map(|it| it.columns).unwrap_or_default();
    let guess = |it: &Match| {
        let kind = it.target().and_then(|target| target.kind(&fields, false));
        let (kind, options) = kind.unwrap_or((ColumnKind::Text, Options::default()));
        ColumnGuess::new(kind, options, hints.clone())
    };
    matches.iter().map(guess).collect()
}
