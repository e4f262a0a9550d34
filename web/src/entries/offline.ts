import '../lib/trusted-types.ts'
import { isLanguage, type Language, say, type WordsOn } from '@tallyroom/locales'
import bn from '@tallyroom/locales/bn?offline'
import en from '@tallyroom/locales/en?offline'
import id from '@tallyroom/locales/id?offline'
import ms from '@tallyroom/locales/ms?offline'
import my from '@tallyroom/locales/my?offline'
import ru from '@tallyroom/locales/ru?offline'
import ta from '@tallyroom/locales/ta?offline'
import th from '@tallyroom/locales/th?offline'
import vi from '@tallyroom/locales/vi?offline'
import zhCN from '@tallyroom/locales/zh-CN?offline'
import zhTW from '@tallyroom/locales/zh-TW?offline'
import { getStored, setFace } from '../lib/storage.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import './offline.css'

/**
 * What the service worker shows at any address when nothing answers. It asks again by itself, and loads the page that was
 * wanted when something does. All words are in it, for there is nowhere to get them from.
 */
const AGAIN_MS = 3000
const all: Record<Language, WordsOn<'offline'>> = { en, id, ms, ta, vi, th, my, ru, bn, 'zh-CN': zhCN, 'zh-TW': zhTW }
const stored = getStored('locale')
const language: Language = isLanguage(stored) ? stored : 'en'
const t = (key: keyof WordsOn<'offline'>) => say(all[language], language, key)

setFace(/^\/(m|Signup)(\/|$)/.test(window.location.pathname) ? 'member' : 'office')
const page = document.documentElement
page.lang = language
page.dataset.accent = getStored('accent') ?? 'blue'

const look = () => {
  const theme = getStored('theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.dataset.theme = isDark ? 'dark' : 'light'
  const surface = getComputedStyle(page).getPropertyValue('--ground').trim()
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
}
look()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', look)

const put = <K extends keyof HTMLElementTagNameMap>(name: K, className: string, text = '') => {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
drawing.setAttribute('viewBox', '0 0 24 24')
drawing.setAttribute('aria-hidden', 'true')
const lines = document.createElementNS('http://www.w3.org/2000/svg', 'path')
lines.setAttribute('d', 'M3 9a13 13 0 0 1 18 0M6 12.5a8.5 8.5 0 0 1 12 0M9.2 16a4 4 0 0 1 5.6 0M12 19.5h.01M4 3l16 18')
drawing.append(lines)

let isAsking = false
const ask = async () => {
  if (isAsking) return
  isAsking = true
  try {
    const answer = await fetch('/readyz', { cache: 'no-store' })
    // By its own address there is nothing to come back to.
    if (answer.ok)
      return window.location.pathname === '/offline.html' ? window.location.replace('/') : window.location.reload()
  } catch {
    // Not yet.
  } finally {
    isAsking = false
  }
}

const again = put('button', 'button button-main', t('action.try_again'))
again.type = 'button'
again.addEventListener('click', () => void ask())
const main = put('main', 'offline')
const words = [put('h1', '', t('offline.title')), put('p', '', t('offline.why'))]
// Whoever has not signed in has typed nothing that is kept.
if (getStored('user_token')) words.push(put('p', '', t('offline.typed')))
main.append(drawing, ...words, again)
document.title = t('offline.title')
document.getElementById('root')?.append(main)

window.addEventListener('online', () => void ask())
document.addEventListener('visibilitychange', () => void ask())
setInterval(() => void ask(), AGAIN_MS)
