/** The fields of the bar beside time, list and names, by their keys in the address. */
const narrowingKeys = ['amount', 'kind', 'status', 'remark', 'id', 'room'] as const
/** What the log can be filtered by, as its address has it. */
export const historyKeys = ['username', 'type', 'time', 'operator', 'cell', ...narrowingKeys] as const
