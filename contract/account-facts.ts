/** Fields of the audit log's details that hold an account: stored as its id, and sent as its username. */
export const accountFacts: ReadonlySet<string> = new Set(['looked_after', 'maker', 'upline_id'])
