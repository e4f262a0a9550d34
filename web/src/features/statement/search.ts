/** What a statement is of, as its address has it. */
export const statementKeys = ['username', 'id', 'scope', 'wallet', 'by', 'time'] as const
