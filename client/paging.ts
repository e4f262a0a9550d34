import type { List } from './options.ts'

/** The field that says where a page begins, that of the answer before which has it, and the one that says whether more follows. */
export type Cursor = readonly [asked: string, answered: string, more?: string]

type Page = { data: unknown[] } & Record<string, unknown>

/** Begins a list. `ask` asks for a page; it gets the fields that say where it begins. */
export const listed = (ask: (from: object) => Promise<unknown>, [asked, answered, more]: Cursor): List<Page> => {
  const pageFrom = (from: object) => ask(from) as Promise<Page>
  const first = pageFrom({})
  const rows = async function* () {
    let page = await first
    for (;;) {
      yield* page.data
      const next = page[answered]
      if (more === undefined ? next === null : page[more] !== true) return
      page = await pageFrom({ [asked]: next })
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: rows })
}
