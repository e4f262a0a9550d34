/**
 * Makes a write repeatable: an id unique for its actor, with a hash of the input. `keySince`: when the installation
 * got another key, in milliseconds: hashes stored before then are of a former key. Undefined when it has its first.
 */
export type IdempotencyKey = { id: string; hash: Buffer; keySince?: number | undefined }
/** A platform writes as the negative id of its top account: no account has such an id. */
export type RepeatableWrite = { actorId: number; call: string; idempotencyKey: IdempotencyKey }
