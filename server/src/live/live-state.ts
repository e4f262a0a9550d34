/** Questions about the sockets of this copy. */
export type LiveState = {
  /** Open sockets of this copy. */
  sockets: () => number
  /** Accounts that have one open here. */
  accounts: () => number[]
  /** How many accounts have one open in this copy, with all its workers. */
  people: () => Promise<number>
  /** Whether events of other copies arrive. */
  isRelayUp: () => boolean
}
