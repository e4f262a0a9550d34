/** The parts of the server report to the metrics (http/metrics.ts) through these. Times are in seconds. */
export type Measures = {
  /** A call was answered; `outcome` is the name of its refusal, or `success`. */
  call: (name: string, outcome: string, seconds: number) => void
  /** A batch was run; `left` waited behind it when it began. */
  batch: (of: 'transfers' | 'messages', batch: BatchFacts) => void
  /** A request to the S3 server was answered; `missing`: there is nothing under this key. */
  s3: (request: S3Request, outcome: 'success' | 'missing' | 'failed', seconds: number) => void
  /** Something was sent to another service, or was not taken there. */
  outgoing: (kind: OutgoingKind, outcome: 'success' | 'failed', seconds: number) => void
  /** The sockets of this copy must fetch what they may have missed. */
  resync: () => void
  /** Events of another copy were missed. */
  relayGap: () => void
  /** Another copy has ended without saying so, or hangs. */
  copyLost: () => void
  /** A worker of this process has ended, and another one is started. */
  workerLost: () => void
  /** An HTTP request has arrived, whatever it asks for. */
  request: () => void
  /** A pass of the sealer has succeeded; the next one is due in so many seconds. */
  sealed: (nextSeconds: number) => void
  /** So many places are known where what is stored is not as it was written (ledger/check/walk.ts). */
  broken: (of: 'seal' | 'audit' | 'wallets', count: number) => void
}
/** The kinds of what is sent to other services. */
export type OutgoingKind = 'webhook' | 'push' | 'sms' | 'bot'
export type S3Request = 'get' | 'put' | 'delete' | 'list'
export type BatchFacts = { size: number; left: number; seconds: number }

const ignore = () => {}
/** Measures nothing, on a server without metrics. */
export const unmeasured: Measures = {
  call: ignore,
  batch: ignore,
  s3: ignore,
  outgoing: ignore,
  resync: ignore,
  relayGap: ignore,
  copyLost: ignore,
  workerLost: ignore,
  request: ignore,
  sealed: ignore,
  broken: ignore,
}
