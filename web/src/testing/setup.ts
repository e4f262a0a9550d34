import { cleanup, configure, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { officeWords } from '../app/office-words.ts'
import { setLanguage, setLoaders } from '../i18n/i18n.ts'
import { withholdComposedKeys } from '../ui/keyboard/composed-keys.ts'
import { forgetServerTime } from '../lib/clock.ts'
import { protection } from '../ui/overlay/protection.ts'
import { callsEnded, fakeFetch, resetServer, server } from './fake-server.ts'

// A missing element would print the whole page, and a busy machine may need more than the usual second.
configure({ getElementError: (message) => new Error(message ?? ''), asyncUtilTimeout: 10_000 })
setLoaders(officeWords)
// As the first script of each page does.
withholdComposedKeys()
// Tests press as soon as they can; those about it set a time.
protection.ms = 0

// At once, because some modules load `/config.json` when they are imported.
vi.stubGlobal('fetch', fakeFetch)

beforeEach(async () => {
  // Nobody may do anything that the test does not allow.
  server.answers('userMenu/list', [])
  await setLanguage('en')
})

afterEach(async () => {
  // Alerts of the page outlive it until they are closed.
  for (const close of document.querySelectorAll('.alert-float button')) fireEvent.click(close)
  cleanup()
  vi.useRealTimers()
  // What the page began while it closed would otherwise ask the server of the next test, also that of another file.
  await callsEnded()
  forgetServerTime()
  localStorage.clear()
  sessionStorage.clear()
  // A component shows a failed call as a lost connection, which would hide a fault of the fixture.
  expect(resetServer()).toEqual([])
})
