/**
 * A repeatable write: an id unique for its actor, with a hash of the input. `keySince`: when the installation
 * got another key, in milliseconds: hashes stored before then are of a former key. Undefined when it has its first.
 */
export type Request = { id: string; hash: Buffer; keySince?: number | undefined }
