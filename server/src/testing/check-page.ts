import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'

/** The page that checks statements without a server, run outside of a browser. */
export const page = readFileSync(new URL('../../../web/public/check.html', import.meta.url), 'utf8')
const offline = createContext({ document: { getElementById: () => ({}) }, TextEncoder })
runInContext(/<script>([^]*)<\/script>/.exec(page)?.[1] ?? '', offline)
type Checked = { results: [boolean, string][]; rows: unknown[]; head: [number, string] }
/** What the page says to these files, without a server. */
export const check = runInContext('check', offline) as (seal: unknown, csv?: string) => Checked
const parse = runInContext('parse', offline) as (json: string) => unknown
/** `seal`: as the page has it, or the text of a file. */
export const faults = (seal: unknown, csv?: string) => {
  try {
    return check(typeof seal === 'string' ? parse(seal) : seal, csv).results.flatMap(([isGood, what]) =>
      isGood ? [] : what,
    )
  } catch (error) {
    return [(error as Error).message]
  }
}

export type Seal = {
  head: [number, string]
  blocks: [number, string, number, string, string, string][]
  wallets: {
    items: (string | unknown[])[]
    to: number
    from: number
    first: number
    parts: number[]
    path: string[]
    is_before: boolean
  }[]
  statement: Record<string, string>
}
