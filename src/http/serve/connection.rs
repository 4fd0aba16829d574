use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};
use tokio_io_timeout::TimeoutStream;

use super::{HEADER_READ_TIMEOUT, WRITE_TIMEOUT};

/// The requests of a connection, as its stream has to know of them. HTTP/1.1 answers one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<Requests>);

#[derive(Debug, Default)]
struct Requests {
    /// Whether one is with the service, or its answer on the way.
    under_way: AtomicBool,
    /// How many were answered. A fast answer is over before the stream is read again.
    answered: AtomicU64,
}

impl InFlight {
    /// A request is under way from now on, until what this gives is dropped.
    pub(super) fn begin(&self) -> InFlightGuard {
        self.0.under_way.store(true, Ordering::Relaxed);
        InFlightGuard(self.clone())
    }
}

/// A request that is answered.
#[derive(Debug)]
pub(super) struct InFlightGuard(InFlight);

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let requests = &self.0.0;
        requests.under_way.store(false, Ordering::Relaxed);
        requests.answered.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The rest of a request's head, or the first one.
    Head,
    /// The service. Its body has a deadline of its own.
    Answer,
    /// The next request.
    Idle,
}

/// A stream whose reads fail when a head or the next request does not come in time, and whose writes fail when the client takes nothing.
pub(super) struct Connection<T> {
    stream: Pin<Box<TimeoutStream<T>>>,
    in_flight: InFlight,
    /// How many answers it has seen the end of.
    answered: u64,
    phase: Phase,
    idle: Duration,
    /// When the phase is over, unless that is [`Phase::Answer`].
    deadline: Instant,
    /// Ends at the deadline or before it. A request moves the deadline twice, which is far cheaper than to move a timer of the runtime.
    timer: Pin<Box<Sleep>>,
}

impl<T: AsyncRead + AsyncWrite> Connection<T> {
    /// A new connection, whose first head is waited for.
    pub(super) fn new(stream: T, in_flight: InFlight, idle: Duration) -> Self {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_TIMEOUT));
        let timer = Box::pin(tokio::time::sleep(HEADER_READ_TIMEOUT));
        Self { stream: Box::pin(stream), in_flight, answered: 0, phase: Phase::Head, idle, deadline: timer.deadline(), timer }
    }

    /// Looks at how far the service is.
    ///
    /// A part of the next head that came together with this request cannot be told from its body here, and waits as long as an idle connection may.
    /// That holds nothing that an idle connection does not hold.
    fn follow(&mut self) {
        let answered = self.in_flight.0.answered.load(Ordering::Relaxed);
        if self.in_flight.0.under_way.load(Ordering::Relaxed) {
            self.phase = Phase::Answer;
        } else if self.answered != answered {
            self.answered = answered;
            self.wait(Phase::Idle, self.idle);
        }
    }

    fn wait(&mut self, phase: Phase, length: Duration) {
        self.phase = phase;
        self.deadline = Instant::now() + length;
        if self.deadline < self.timer.deadline() {
            self.timer.as_mut().reset(self.deadline);
        }
    }

    /// A client that takes the rest of an answer is not idle.
    fn has_written(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.follow();
        if self.phase == Phase::Idle && matches!(written, Poll::Ready(Ok(_))) {
            self.wait(Phase::Idle, self.idle);
        }
        let _ = self.is_late(context);
        written
    }

    /// Whether what is waited for has not come in time. If there is time left, the connection is looked at again when it is over.
    ///
    /// Writes ask too: hyper does not read again after an answer if it waited to read before.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        if self.phase == Phase::Answer {
            return false;
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if self.timer.deadline() >= self.deadline {
                return true;
            }
            self.timer.as_mut().reset(self.deadline);
        }
        false
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncRead for Connection<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        self.follow();
        let read = self.stream.as_mut().poll_read(context, buffer);
        if self.phase == Phase::Idle && buffer.filled().len() > before {
            self.wait(Phase::Head, HEADER_READ_TIMEOUT);
        }
        if read.is_pending() && self.is_late(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncWrite for Connection<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write(context, bytes);
        self.has_written(written, context)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write_vectored(context, slices);
        self.has_written(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.follow();
        let _ = self.is_late(context);
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}
