/** The dates of the forms of the member API's calls (docs/decisions/0066-forms-by-date.md). No Zod here: the office imports it. */
export const apiDates = ['2026-12-01'] as const
export type ApiDate = (typeof apiDates)[number]
