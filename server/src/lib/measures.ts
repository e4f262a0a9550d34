/** What the parts of the server tell the metrics (http/metrics.ts). Times are in seconds. */
export type Measures = {
  /** A call was answered; `outcome` is the name of its refusal, or `success`. */
  call: (name: string, outcome: string, seconds: number) => void
  /** A batch was run; `left` waited behind it when it began. */
  batch: (of: 'transfers' | 'messages', batch: BatchFacts) => void
  /** The sockets of this copy must fetch what they may have missed. */
  resync: () => void
  /** Events of another copy were missed. */
  relayGap: () => void
}
export type BatchFacts = { size: number; left: number; seconds: number }

const ignore = () => {}
/** For a server without metrics. */
export const unmeasured: Measures = { call: ignore, batch: ignore, resync: ignore, relayGap: ignore }
