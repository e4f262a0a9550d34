export type LimitClass = 'read' | 'write' | 'upload' | 'open' | 'address' | 'key'

export type Face = 'office' | 'member'

/** How long a session may be idle, and how long it may last at most. */
export type SessionLimits = Record<Face | 'agent', { idleMinutes: number; minutes: number }>

export type SmsGateway = {
  url: string
  headers: Record<string, string>
  /** Has the placeholders {to} and {text}; both are escaped for the content type of the headers. */
  body: string
  seconds: number
}

/** The days for which each kind of data is kept; 0: for ever. Sessions count from their end. */
export type RetentionSettings = { requestDays: number; sessionDays: number; messageDays: number; readingDays: number }

export type ConnectionSettings = {
  /** Open connections in all. Further ones are closed, so that file handles remain for files and the database. */
  all: number
  /** Open connections of one address, or requests and WebSockets of one client behind a proxy; 0: no limit. */
  ofAddress: number
  /** Time for the headers of a request. */
  headersSeconds: number
  /** Time for a body, plus what a larger one needs at `bodyRate` bytes a second. */
  bodySeconds: number
  bodyRate: number
}
