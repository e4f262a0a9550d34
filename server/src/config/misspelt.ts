import { StartError } from '../lib/start-error.ts'

/** Names of this length or less are too easily those of another program. */
const SHORT = 5

/**
 * Refuses a variable whose name is nearly that of a setting: WIDGET_ORIGIN would otherwise be ignored without a word. Other
 * variables are none of our business. @throws StartError
 */
export const refuseMisspelt = (env: NodeJS.ProcessEnv, settings: string[]): void => {
  const names = new Set(settings)
  for (const given of Object.keys(env)) {
    if (names.has(given) || !/^[A-Z][A-Z0-9_]*$/.test(given)) continue
    const meant = settings.find((name) => name.length > SHORT && isNear(given, name))
    if (meant) throw new StartError(`${given} is not a setting. Did you mean ${meant}? Rename it, or remove it.`)
  }
}

/** Whether one letter was left out, added or changed, two neighbours were swapped, or underlines are missing. */
const isNear = (given: string, name: string): boolean => {
  if (given.replaceAll('_', '') === name.replaceAll('_', '')) return true
  if (Math.abs(given.length - name.length) > 1) return false
  let start = 0
  while (start < name.length && given[start] === name[start]) start++
  let end = 0
  while (end < Math.min(given.length, name.length) - start && given.at(-1 - end) === name.at(-1 - end)) end++
  const [a, b] = [given.slice(start, given.length - end), name.slice(start, name.length - end)]
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0])
}
