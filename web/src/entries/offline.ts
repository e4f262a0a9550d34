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
import { startTheme } from '../theme/theme.ts'
import '../theme/tokens.css'
import '../theme/accents.css'
import '../theme/base.css'
import '../theme/controls.css'
import '../theme/forced-colours.css'
import './offline.css'

/**
 * The page that the service worker shows at any address when the server does not answer. It polls the server and
 * reloads the requested page when it answers. All languages are included, because none can be loaded.
 */
const RETRY_MS = 3000
const all: Record<Language, WordsOn<'offline'>> = { en, id, ms, ta, vi, th, my, ru, bn, 'zh-CN': zhCN, 'zh-TW': zhTW }
const stored = getStored('locale')
const language: Language = isLanguage(stored) ? stored : 'en'
const t = (key: keyof WordsOn<'offline'>) => say(all[language], language, key)

setFace(/^\/(m|Signup)(\/|$)/.test(window.location.pathname) ? 'member' : 'office')
const page = document.documentElement
page.lang = language
startTheme()

const make = <K extends keyof HTMLElementTagNameMap>(name: K, className: string, text = '') => {
  const element = document.createElement(name)
  element.className = className
  element.textContent = text
  return element
}

const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
icon.setAttribute('viewBox', '0 0 24 24')
icon.setAttribute('aria-hidden', 'true')
const lines = document.createElementNS('http://www.w3.org/2000/svg', 'path')
lines.setAttribute('d', 'M3 9a13 13 0 0 1 18 0M6 12.5a8.5 8.5 0 0 1 12 0M9.2 16a4 4 0 0 1 5.6 0M12 19.5h.01M4 3l16 18')
icon.append(lines)

let isChecking = false
const checkServer = async () => {
  if (isChecking) return
  isChecking = true
  try {
    const answer = await fetch('/readyz', { cache: 'no-store' })
    // Opened at its own address, there is no page to return to.
    if (answer.ok)
      return window.location.pathname === '/offline.html' ? window.location.replace('/') : window.location.reload()
  } catch {
    // Still no answer: the timer tries again.
  } finally {
    isChecking = false
  }
}

const again = make('button', 'button button-main', t('action.try_again'))
again.type = 'button'
again.addEventListener('click', () => void checkServer())
const main = make('main', 'offline')
const words = [make('h1', '', t('offline.title')), make('p', '', t('offline.why'))]
// Typed text is kept only with a session.
if (getStored('user_token')) words.push(make('p', '', t('offline.typed')))
main.append(icon, ...words, again)
document.title = t('offline.title')
document.getElementById('root')?.append(main)

window.addEventListener('online', () => void checkServer())
document.addEventListener('visibilitychange', () => void checkServer())
setInterval(() => void checkServer(), RETRY_MS)
