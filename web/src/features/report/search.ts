/** What the report can be filtered by, as its address has it. */
export const reportKeys = ['operator', 'time', 'what', 'by', 'under'] as const
