/** What makes a write repeatable: unique for an actor, with a hash of what was asked. */
export type Request = { id: string; hash: Buffer }
