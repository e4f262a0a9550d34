/** What the audit log can be filtered by, as its address has it. */
export const auditKeys = ['actor', 'target', 'kind', 'time'] as const
