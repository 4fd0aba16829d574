use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use tokio::sync::watch;

/// Number of rows that the portal gives without a key.
const ROWS_WITHOUT_KEY: usize = 5;

/// The largest page that the portal gives.
const MAX_PAGE: usize = 1000;

/// The fields with the day of a row, one for each kind.
const DAYS: [&str; 3] = ["MLSV_YMD", "AA_YMD", "ALL_TI_YMD"];

/// A server on a loopback address that answers like the portal of `lyceum::neis`, for tests of a
/// sync: with the rows that it is given, in pages, by school and days, or with the trouble that it
/// is told to make. It runs on threads of its own until it is dropped.
///
/// ```
/// use lyceum::neis::Client;
/// use lyceum::testing::{NeisBehavior, NeisReplay};
///
/// let portal = NeisReplay::start()?;
/// portal.then([NeisBehavior::Maintenance]); // the first answer alone
/// let client = Client::builder(|_| async {}).base_url(&portal.url()).build();
/// assert!(client.is_ok());
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NeisReplay {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

/// How a [`NeisReplay`] answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NeisBehavior {
    /// With rows, or `INFO-200` if there are none.
    Rows,
    /// With a result code alone, such as `ERROR-337`.
    Code(&'static str),
    /// With status 503 and an HTML page.
    Maintenance,
    /// With XML, and status 200.
    Xml,
    /// With rows, but not before [`release`](NeisReplay::release).
    Held,
    /// With half of the rows' JSON. Then the connection ends.
    CutOff,
    /// With rows, and this number of them in the head.
    Total(usize),
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Signals that held requests go on.
    released: Condvar,
    calls: watch::Sender<usize>,
}

#[derive(Debug)]
struct State {
    rows: HashMap<String, Vec<Value>>,
    key: Option<String>,
    next: VecDeque<NeisBehavior>,
    otherwise: NeisBehavior,
    targets: Vec<String>,
    is_released: bool,
    is_stopped: bool,
}

impl NeisReplay {
    /// Starts a server without rows.
    ///
    /// # Errors
    /// When no port is free.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                rows: HashMap::new(),
                key: None,
                next: VecDeque::new(),
                otherwise: NeisBehavior::Rows,
                targets: Vec::new(),
                is_released: false,
                is_stopped: false,
            }),
            released: Condvar::new(),
            calls: watch::Sender::new(0),
        });
        let server = Arc::clone(&shared);
        let accepting = thread::spawn(move || accept(&listener, &server));
        Ok(Self {
            shared,
            address,
            accepting: Some(accepting),
        })
    }

    /// The base address for a client.
    pub fn url(&self) -> String {
        format!("http://{}/hub/", self.address)
    }

    /// Replaces the rows of a resource, such as `SchoolSchedule`.
    pub fn set_rows(&self, endpoint: &str, rows: Vec<Value>) {
        self.shared.state().rows.insert(endpoint.to_owned(), rows);
    }

    /// Sets the rows of a recorded answer, and returns them.
    ///
    /// # Panics
    /// If the text is no answer with rows.
    pub fn set_answer(&self, answer: &str) -> Vec<Value> {
        let answer: Value = serde_json::from_str(answer).expect("an answer in JSON");
        let answer = answer.as_object().expect("an answer with a resource");
        let (endpoint, parts) = answer.iter().next().expect("an answer with a resource");
        let rows = parts.as_array().and_then(|parts| {
            let mut rows = parts.iter().filter_map(|part| part.get("row"));
            rows.next()?.as_array().cloned()
        });
        let rows = rows.expect("an answer with rows");
        self.set_rows(endpoint, rows.clone());
        rows
    }

    /// Sets the key that requests must have. Requests without a key get five rows, and those with
    /// another one `ERROR-290`.
    pub fn require_key(&self, key: &str) {
        self.shared.state().key = Some(key.to_owned());
    }

    /// Sets the behavior of the next requests, one each.
    pub fn then(&self, behaviors: impl IntoIterator<Item = NeisBehavior>) {
        self.shared.state().next.extend(behaviors);
    }

    /// Sets the behavior of the requests after those.
    pub fn otherwise(&self, behavior: NeisBehavior) {
        self.shared.state().otherwise = behavior;
    }

    /// Answers the requests that are held, and those of later.
    pub fn release(&self) {
        self.shared.state().is_released = true;
        self.shared.released.notify_all();
    }

    /// The paths and queries of the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.shared.state().targets.clone()
    }

    /// Waits until there were this many requests.
    pub async fn requested(&self, count: usize) {
        let mut calls = self.shared.calls.subscribe();
        // The sender lives as long as this server.
        let _ = calls.wait_for(|calls| *calls >= count).await;
    }
}

impl Drop for NeisReplay {
    fn drop(&mut self) {
        self.shared.state().is_stopped = true;
        self.shared.released.notify_all();
        // The thread looks at `is_stopped` after each connection.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.state().is_stopped {
            return;
        }
        let (Ok(stream), shared) = (stream, Arc::clone(shared)) else {
            continue;
        };
        // A client that went away needs no answer.
        thread::spawn(move || _ = answer(stream, &shared));
    }
}

fn answer(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let target = read_target(&stream)?;
    let behavior = {
        let mut state = shared.state();
        state.targets.push(target.clone());
        let next = state.next.pop_front();
        next.unwrap_or_else(|| state.otherwise.clone())
    };
    shared.calls.send_modify(|calls| *calls += 1);
    let mut state = shared.state();
    while behavior == NeisBehavior::Held && !state.is_released && !state.is_stopped {
        let waiting = shared.released.wait(state);
        state = waiting.unwrap_or_else(PoisonError::into_inner);
    }
    let (status, body) = state.answer(&target, &behavior);
    drop(state);
    let sent = match behavior {
        NeisBehavior::CutOff => &body.as_bytes()[..body.len() / 2],
        _ => body.as_bytes(),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(sent)
}

/// Reads the head of a request, and returns the target in its first line.
fn read_target(stream: &TcpStream) -> io::Result<String> {
    let mut head = BufReader::new(stream.take(64 * 1024));
    let mut first = String::new();
    head.read_line(&mut first)?;
    let mut line = String::new();
    while head.read_line(&mut line)? > "\r\n".len() {
        line.clear();
    }
    let target = first.split(' ').nth(1).unwrap_or_default();
    Ok(target.to_owned())
}

impl State {
    fn answer(&self, target: &str, behavior: &NeisBehavior) -> (&'static str, String) {
        let body = match behavior {
            NeisBehavior::Rows | NeisBehavior::Held | NeisBehavior::CutOff => {
                self.rows_answer(target, None)
            }
            NeisBehavior::Total(total) => self.rows_answer(target, Some(*total)),
            NeisBehavior::Code(code) => result(code),
            NeisBehavior::Xml => {
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><RESULT><CODE>INFO-200</CODE></RESULT>"
                    .to_owned()
            }
            NeisBehavior::Maintenance => {
                let page = "<!doctype html><title>503</title><p>maintenance";
                return ("503 Service Unavailable", page.to_owned());
            }
        };
        ("200 OK", body)
    }

    /// A page of the rows that the query selects.
    fn rows_answer(&self, target: &str, total: Option<usize>) -> String {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let endpoint = path.rsplit('/').next().unwrap_or_default();
        let parameters: HashMap<&str, &str> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        let number = |name, default| {
            let given = parameters.get(name).map(|text| text.parse());
            given.unwrap_or(Ok(default)).unwrap_or(0)
        };
        let (index, mut size) = (number("pIndex", 1), number("pSize", 100));
        if index == 0 || size == 0 || size > MAX_PAGE {
            return result("ERROR-336");
        }
        let mut start = (index - 1) * size;
        match (&self.key, parameters.get("KEY")) {
            (Some(key), Some(given)) if key != given => return result("ERROR-290"),
            (Some(_), None) if index > 1 => start = usize::MAX,
            (Some(_), None) => size = ROWS_WITHOUT_KEY,
            _ => {}
        }
        let rows = self.rows.get(endpoint).map_or(&[][..], Vec::as_slice);
        let selected: Vec<&Value> = rows
            .iter()
            .filter(|row| is_selected(row, &parameters))
            .collect();
        let page: Vec<&Value> = selected.iter().copied().skip(start).take(size).collect();
        if page.is_empty() {
            return result("INFO-200");
        }
        let total = total.unwrap_or(selected.len());
        let fine = json!({ "RESULT": { "CODE": "INFO-000", "MESSAGE": "" } });
        let head = json!({ "head": [{ "list_total_count": total }, fine] });
        json!({ endpoint: [head, { "row": page }] }).to_string()
    }
}

fn result(code: &str) -> String {
    json!({ "RESULT": { "CODE": code, "MESSAGE": "" } }).to_string()
}

/// Whether a row is of the school and of the days of a query. A row without a day is of every day.
fn is_selected(row: &Value, parameters: &HashMap<&str, &str>) -> bool {
    let bound = |end| {
        let mut found = parameters.iter().filter(|(name, _)| name.ends_with(end));
        found.next().map(|(_, value)| *value)
    };
    let school = parameters.get("SD_SCHUL_CODE");
    let is_of_school = school.is_none_or(|school| row["SD_SCHUL_CODE"] == **school);
    let day = DAYS.iter().find_map(|field| row.get(field)?.as_str());
    is_of_school
        && day.is_none_or(|day| {
            bound("_FROM_YMD").is_none_or(|from| from <= day)
                && bound("_TO_YMD").is_none_or(|to| day <= to)
        })
}
