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

/// Requests of a connection, shared with its stream. HTTP/1.1 handles one at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<RequestState>);

#[derive(Debug, Default)]
struct RequestState {
    /// Whether a request is being handled, or its response being sent.
    is_in_flight: AtomicBool,
    /// Number of completed responses. A fast response is complete before the stream is read again.
    answered: AtomicU64,
}

impl InFlight {
    /// Marks a request as in flight until the guard is dropped.
    pub(super) fn begin(&self) -> InFlightGuard {
        self.0.is_in_flight.store(true, Ordering::Relaxed);
        InFlightGuard(self.clone())
    }
}

/// Marks a request as in flight.
#[derive(Debug)]
pub(super) struct InFlightGuard(InFlight);

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let requests = &self.0.0;
        requests.is_in_flight.store(false, Ordering::Relaxed);
        requests.answered.fetch_add(1, Ordering::Relaxed);
    }
}

/// The event that a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The rest of a request head, or the first one.
    Head,
    /// The service. Request bodies have a timeout of their own.
    Response,
    /// The next request.
    Idle,
}

/// Stream whose reads fail when a head or the next request is late, and whose writes fail when the
/// client does not read.
pub(super) struct Connection<T> {
    stream: Pin<Box<TimeoutStream<T>>>,
    in_flight: InFlight,
    /// Number of completed responses that the stream has seen.
    answered: u64,
    phase: Phase,
    idle_timeout: Duration,
    /// End of the phase, except in [`Phase::Response`].
    deadline: Instant,
    /// Fires at the deadline or before it. A request moves the deadline twice, which is far cheaper
    /// than moving a timer of the runtime.
    timer: Pin<Box<Sleep>>,
}

impl<T: AsyncRead + AsyncWrite> Connection<T> {
    /// Creates a connection that waits for its first head.
    pub(super) fn new(stream: T, in_flight: InFlight, idle_timeout: Duration) -> Self {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_TIMEOUT));
        let timer = Box::pin(tokio::time::sleep(HEADER_READ_TIMEOUT));
        Self {
            stream: Box::pin(stream),
            in_flight,
            answered: 0,
            phase: Phase::Head,
            idle_timeout,
            deadline: timer.deadline(),
            timer,
        }
    }

    /// Updates the phase from the state of the requests.
    ///
    /// A part of the next head that arrived with this request cannot be distinguished from its body
    /// here, and may wait as long as an idle connection. It holds no more resources than one.
    fn update_phase(&mut self) {
        let answered = self.in_flight.0.answered.load(Ordering::Relaxed);
        if self.in_flight.0.is_in_flight.load(Ordering::Relaxed) {
            self.phase = Phase::Response;
        } else if self.answered != answered {
            self.answered = answered;
            self.set_deadline(Phase::Idle, self.idle_timeout);
        }
    }

    fn set_deadline(&mut self, phase: Phase, length: Duration) {
        self.phase = phase;
        self.deadline = Instant::now() + length;
        if self.deadline < self.timer.deadline() {
            self.timer.as_mut().reset(self.deadline);
        }
    }

    /// Extends the deadline while a client still reads a response.
    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        self.update_phase();
        if self.phase == Phase::Idle && matches!(written, Poll::Ready(Ok(_))) {
            self.set_deadline(Phase::Idle, self.idle_timeout);
        }
        let _ = self.poll_timed_out(context);
        written
    }

    /// Whether the deadline has passed. Otherwise registers the timer.
    ///
    /// Writes check too: hyper does not read again after a response if it waited to read before.
    fn poll_timed_out(&mut self, context: &mut Context<'_>) -> bool {
        if self.phase == Phase::Response {
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
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        self.update_phase();
        let read = self.stream.as_mut().poll_read(context, buffer);
        if self.phase == Phase::Idle && buffer.filled().len() > before {
            self.set_deadline(Phase::Head, HEADER_READ_TIMEOUT);
        }
        if read.is_pending() && self.poll_timed_out(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncWrite for Connection<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write(context, bytes);
        self.after_write(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write_vectored(context, slices);
        self.after_write(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.update_phase();
        let _ = self.poll_timed_out(context);
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}
