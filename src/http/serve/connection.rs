use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};
use tokio_io_timeout::TimeoutStream;

use super::{ANSWER, HEAD};

/// Whether a request of a connection is with the service, or its answer on the way. HTTP/1.1 answers one request after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<AtomicBool>);

impl InFlight {
    /// From now on, until what it gives is dropped.
    pub(super) fn begin(&self) -> UnderWay {
        self.0.store(true, Ordering::Relaxed);
        UnderWay(self.clone())
    }
}

/// A request that is answered.
#[derive(Debug)]
pub(super) struct UnderWay(InFlight);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Relaxed);
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
    phase: Phase,
    idle: Duration,
    /// Of the phase, unless that is [`Phase::Answer`].
    deadline: Pin<Box<Sleep>>,
}

impl<T: AsyncRead + AsyncWrite> Connection<T> {
    /// A new connection, whose first head is waited for.
    pub(super) fn new(stream: T, in_flight: InFlight, idle: Duration) -> Self {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(ANSWER));
        Self { stream: Box::pin(stream), in_flight, phase: Phase::Head, idle, deadline: Box::pin(tokio::time::sleep(HEAD)) }
    }

    fn wait(&mut self, phase: Phase, length: Duration) {
        self.phase = phase;
        self.deadline.as_mut().reset(Instant::now() + length);
    }

    /// A client that takes the rest of an answer is not idle.
    fn has_written(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if self.phase == Phase::Idle && matches!(written, Poll::Ready(Ok(_))) {
            self.wait(Phase::Idle, self.idle);
        }
        written
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncRead for Connection<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (is_in_flight, before) = (self.in_flight.0.load(Ordering::Relaxed), buffer.filled().len());
        if is_in_flight {
            self.phase = Phase::Answer;
        } else if self.phase == Phase::Answer {
            let idle = self.idle;
            self.wait(Phase::Idle, idle);
        }
        let read = self.stream.as_mut().poll_read(context, buffer);
        if self.phase == Phase::Idle && buffer.filled().len() > before {
            self.wait(Phase::Head, HEAD);
        }
        if read.is_pending() && self.phase != Phase::Answer && self.deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite> AsyncWrite for Connection<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write(context, bytes);
        self.has_written(written)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write_vectored(context, slices);
        self.has_written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}
