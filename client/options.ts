export type CallOptions = {
  /** Ends the call: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}
export type WriteOptions = CallOptions & {
  /**
   * Names the write, such as `promotion-7-ann`: sent again within 30 days, also by another process, it takes effect once
   * and gets the same answer. 1 to 64 printable ASCII characters. Without it, each call is a new write, which is only
   * repeated inside of this call.
   */
  idempotencyKey?: string | undefined
}

/** The first page, or with `for await` the rows of all pages. */
export type List<Answer extends { data: readonly unknown[] }> = Promise<Answer> & AsyncIterable<Answer['data'][number]>
