/** The parts of the server report to the traces (http/traces.ts) through these. Undefined where nobody collects traces. */
export type Traces = {
  /** A client's call. Its refusal, if it has one, is the outcome. */
  call: <T extends { refusal?: string | undefined }>(call: TracedCall, work: () => Promise<T>) => Promise<T>
  /** A part of what runs now. Outside of a span it is not recorded. */
  part: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** A statement, by a name that holds none of its values. Outside of a span it is not recorded. */
  statement: <T>(names: StatementNames, work: () => Promise<T>) => Promise<T>
  /** Something sent to another service. `headers` continue the trace there; `answerOf` is the status or error that it sent. */
  outgoing: <T>(
    name: string,
    work: (headers: Record<string, string>) => Promise<T>,
    answerOf?: (sent: T) => string,
  ) => Promise<T>
  batches: (of: string) => BatchTraces
  /** The running span as a text for another process; undefined when nothing is recorded. */
  carried: () => string | undefined
  /** Goes on with what another process carried here. */
  resume: <T>(carried: string | undefined, work: () => T) => T
  /** Sends what is recorded, for at most some seconds. */
  close: () => Promise<void>
}
/** `traceparent`: the header as it came. */
type TracedCall = { name: string; callId: string; traceparent: string | undefined }
/** `full`: the one under which PostgreSQL knows it; undefined for a statement that is planned each time. */
type StatementNames = { short: string; full: string | undefined }

/** Records one kind of batches. A batch runs for many calls, so it has a trace of its own, linked with theirs. */
export type BatchTraces = {
  /** The running span waits for a batch. */
  join: () => Joined
  run: <T>(joined: Joined[], work: () => Promise<T>) => Promise<T>
}
/** Opaque: a span that ends with its batch. */
export type Joined = object | undefined
