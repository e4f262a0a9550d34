import { isLightPage, isOn } from '../locales/pages.ts'
import type { Plugin } from 'vite'

type Property = { type: string; start: number; end: number; key?: { value?: string; name?: string } }
type Statement = { type: string; declaration?: { type: string; properties?: Property[] } }

/**
 * `import('@tallyroom/locales/en?member')`: a language with only the words that locales/pages.ts names for that page, for
 * most are those of the back office and cheap phones open these pages.
 */
export const someWords = (): Plugin => ({
  name: 'some-words',
  enforce: 'post',
  transform(code, id) {
    const page = /\?(\w+)$/.exec(id)?.[1] ?? ''
    if (!id.includes('/locales/') || !isLightPage(page)) return undefined
    const body = this.parse(code).body as unknown as Statement[]
    const words = body.find((statement) => statement.type === 'ExportDefaultDeclaration')?.declaration
    if (words?.type !== 'ObjectExpression' || !words.properties) throw new Error(`${id} is not a plain table of words`)
    const kept = words.properties.filter(({ type, key }) => {
      if (type !== 'Property') throw new Error(`${id} has words that do not stand in it themselves`)
      return isOn(page, key?.value ?? key?.name ?? '')
    })
    return { code: `export default {${kept.map(({ start, end }) => code.slice(start, end)).join(',')}}`, map: null }
  },
})
