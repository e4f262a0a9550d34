/** What makes a write repeatable: an id unique for its actor, with a hash of the input. */
export type Request = { id: string; hash: Buffer }
