export type LimitClass = 'read' | 'write' | 'upload' | 'open' | 'address'

export type Face = 'office' | 'member'

/** How long a session may be quiet, and how long it may last in any case. */
export type SessionLimits = Record<Face | 'agent', { idleMinutes: number; minutes: number }>

export type SmsGateway = {
  url: string
  headers: Record<string, string>
  /** With {to} and {text} where they belong; both are escaped as the content type of the headers asks. */
  body: string
  seconds: number
}

export type ConnectionSettings = {
  /** Open connections in all. Above it new ones are closed, so that files and the database can still be opened. */
  all: number
  /** Open connections of one address, or requests and WebSockets of one client behind a proxy; 0: no limit. */
  ofAddress: number
  /** For the headers of a request. */
  headersSeconds: number
  /** For any body; a larger one gets the time that it needs at `bodyRate` bytes a second besides. */
  bodySeconds: number
  bodyRate: number
}
