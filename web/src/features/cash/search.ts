/** What the queue of requests can be filtered by, as its address has it. */
export const cashRequestKeys = ['state', 'time', 'direction', 'by'] as const
