/** The names of the time zones that can be chosen, with these. */
export const timeZonesWith = (...more: string[]): string[] =>
  [...new Set(['UTC', ...more, ...Intl.supportedValuesOf('timeZone')])].toSorted()
