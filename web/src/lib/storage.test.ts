import { afterEach, expect, test, vi } from 'vitest'

/** Loads the modules again, as opening the page does. */
const open = async () => {
  vi.resetModules()
  return {
    store: await import('./storage.ts'),
    words: await import('../i18n/i18n.ts'),
    theme: await import('../theme/theme.ts'),
  }
}
const storage = (own: Partial<Storage>) => vi.stubGlobal('localStorage', own)
const storageWith = (kept: Record<string, string>) =>
  storage(
    Object.assign(
      Object.create({ getItem: (key: string) => kept[key] ?? null, setItem: () => {}, removeItem: () => {} }),
      kept,
    ),
  )
const page = () => {
  const dataset: Record<string, string> = {}
  vi.stubGlobal('document', { documentElement: { dataset }, querySelector: () => null })
  vi.stubGlobal('requestAnimationFrame', () => 0)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }))
  vi.stubGlobal('window', { addEventListener: () => {} })
  return dataset
}
afterEach(() => vi.unstubAllGlobals())

const refuse = () => {
  throw new DOMException('no', 'QuotaExceededError')
}

test('[LIM-02] with forbidden storage, values live as long as the page', async () => {
  storage({ getItem: refuse, setItem: refuse, removeItem: refuse })
  const { store } = await open()
  store.setStored('user_token', 'abc')
  expect(store.getStored('user_token')).toBe('abc')
  store.clearStored()
  expect(store.getStored('user_token')).toBeUndefined()
})

test('[LIM-02] with full storage, new values live as long as the page', async () => {
  const old: Record<string, string> = { user_token: 'old' }
  storage({ getItem: (key) => old[key] ?? null, setItem: refuse })
  const { store } = await open()
  store.setStored('user_token', 'new')
  expect(store.getStored('user_token')).toBe('new')
})

test('[I18N-01] an unknown language in storage means English', async () => {
  for (const locale of ['xx', '', '../en', '__proto__', '{"en":1}']) {
    storageWith({ locale })
    const { words } = await open()
    expect(words.language()).toBe('en')
  }
})

test('[SHELL-05] unknown theme settings in storage fall back to the defaults', async () => {
  storageWith({ theme: 'sepia', accent: 'red" onload="x', side: '2' })
  const dataset = page()
  const { theme } = await open()
  theme.startTheme()
  expect(dataset).toEqual({ theme: 'light', accent: 'blue' })
})
