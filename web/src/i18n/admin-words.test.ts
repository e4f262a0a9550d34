import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import en from '@tallyroom/locales/en'
import { isAdminWord } from '@tallyroom/locales/pages'
import { expect, test } from 'vitest'

const web = fileURLToPath(new URL('..', import.meta.url))

/** What is drawn only after `loadAdminWords`: features of its routes, the bell's list and that of mentions. */
const late = [
  'chat/view/mention/',
  'features/account/self/',
  'features/approval/',
  'features/audit/',
  'features/bank/',
  'features/bell/',
  'features/installation/',
  'features/person/',
  'features/profile/',
  'features/receiving/',
  'features/report/',
  'features/right/',
  'features/setting/',
  'features/statement/',
  'features/work/',
  'features/set-up/',
  'ui/form/hours-fields.tsx',
]

test('[I18N-02] texts that load later are said only where they are there: a missing one takes the page away', () => {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  const keys = Object.keys(en).filter(isAdminWord)
  expect(keys.length).toBeGreaterThan(100)
  const early = files
    .filter((file) => !late.some((folder) => file.startsWith(folder)))
    .flatMap((file) => {
      const text = readFileSync(join(web, file), 'utf8')
      return keys.filter((key) => text.includes(`'${key}'`)).map((key) => `${file}: ${key}`)
    })
  expect(early).toEqual([])
})
