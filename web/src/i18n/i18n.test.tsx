import { languages } from '@tallyroom/locales'
import { expect, test, vi } from 'vitest'
import { addWords, beginIn, language, type Loaders, setLanguage, t } from './i18n.ts'

test('[I18N-03] texts of one page are added to those of every page, once, in each language from then on', async () => {
  const asked: string[] = []
  const own = Object.fromEntries(
    languages.map((language) => [
      language,
      () => {
        asked.push(language)
        return Promise.resolve({ default: { 'test.of_one_page': `only here, ${language}` } })
      },
    ]),
  ) as unknown as Loaders
  const key = 'test.of_one_page' as Parameters<typeof t>[0]
  await Promise.all([addWords(own), addWords(own)])
  expect([t(key), t('action.cancel')]).toEqual(['only here, en', 'Cancel'])
  await addWords(own)
  expect(asked).toEqual(['en'])
  await setLanguage('ru')
  expect([t(key), t('action.cancel')]).toEqual(['only here, ru', 'Отмена'])
})

test('[I18N-03] a language that is chosen in another tab is that of this one too', async () => {
  localStorage.setItem('locale', 'vi')
  window.dispatchEvent(new StorageEvent('storage', { key: 'locale', newValue: 'vi' }))
  await vi.waitFor(() => expect([t('action.cancel'), document.documentElement.lang]).toEqual(['Hủy', 'vi']))
})

test('[I18N-01] the stored language goes before the one that a page begins in', () => {
  localStorage.removeItem('locale')
  expect(language()).toBe('en')
  beginIn('th')
  expect(language()).toBe('th')
  localStorage.setItem('locale', 'ms')
  expect(language()).toBe('ms')
  beginIn('en')
})
