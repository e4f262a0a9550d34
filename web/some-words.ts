import { isAdminWord, isLightPage, isOfficeWord, isOn, isSheetWord } from '../locales/pages.ts'
import type { Plugin } from 'vite'

type Property = { type: string; start: number; end: number; key?: { value?: string; name?: string } }
type Statement = { type: string; declaration?: { type: string; properties?: Property[] } }

/**
 * `import('@tallyroom/locales/en?member')`: a language with only the texts that locales/pages.ts lists for that page.
 * Most texts belong to the back office, and cheap phones open these pages. `?admin` has those that few pages say,
 * `?office` the others of the back office, `?sheets` those that the member's page says later.
 */
const filterOf = (part: string): ((key: string) => boolean) | undefined => {
  if (part === 'admin') return isAdminWord
  if (part === 'office') return isOfficeWord
  if (part === 'sheets') return (key) => isOn('member', key) && isSheetWord(key)
  if (part === 'member') return (key) => isOn('member', key) && !isSheetWord(key)
  return isLightPage(part) ? (key) => isOn(part, key) : undefined
}

export const someWords = (): Plugin => ({
  name: 'some-words',
  enforce: 'post',
  transform(code, id) {
    const isKept = filterOf(/\?(\w+)$/.exec(id)?.[1] ?? '')
    if (!id.includes('/locales/') || !isKept) return undefined
    const body = this.parse(code).body as unknown as Statement[]
    const words = body.find((statement) => statement.type === 'ExportDefaultDeclaration')?.declaration
    if (words?.type !== 'ObjectExpression' || !words.properties)
      throw new Error(`${id} must export one object literal as its default`)
    const kept = words.properties.filter(({ type, key }) => {
      if (type !== 'Property')
        throw new Error(`${id} must list its texts as plain properties, without spreading others`)
      return isKept(key?.value ?? key?.name ?? '')
    })
    return { code: `export default {${kept.map(({ start, end }) => code.slice(start, end)).join(',')}}`, map: null }
  },
})
