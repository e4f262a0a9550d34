/** What the reports can be filtered by, as their addresses have it. */
export const reportKeys = ['operator', 'time', 'what', 'by', 'under'] as const
export const workKeys = ['by', 'time', 'group', 'cell'] as const
