/** The wallets that a statement covers: the account's own, those directly below it, or its own and all below it. */
export const statementScopes = ['own', 'direct', 'branch'] as const
export type StatementScope = (typeof statementScopes)[number]

/** Why points are held: an offer in a room, a member's request for points, or a transfer that waits for approval. */
export const heldReasons = ['envelope', 'request', 'approval'] as const
