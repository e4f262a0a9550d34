import { getStored, setStored } from '../lib/storage.ts'
import { currentSession, onSession, setSite, signInByToken, signOut } from './session.ts'

/**
 * API-13: the page around signs its member in. It says who is signed in on it, and brings a one-time token of its own server
 * when this page asks. Nothing is asked twice by itself: after a failure the visitor presses a button.
 */

/** Longer than the page waits for its own server (server/widget/widget.js). */
const PATIENCE_MS = 15_000
/** A session that ends sooner is not asked for again by itself, or two of them could end each other for ever. */
const PAUSE_MS = 60_000

/** The page's own id of its member; empty for nobody, undefined where it does not say. It is only compared. */
let member: string | undefined
let askPage: ((ask: number) => void) | undefined
/** Grows with each question and each "hello": an answer to an earlier one is dropped. */
let ask = 0
let isAsked = false
let askedAt = -Infinity
let late: ReturnType<typeof setTimeout> | undefined
/** One sign-in or sign-out after the other. */
let work: Promise<void> = Promise.resolve()

const wait = () => {
  clearTimeout(late)
  setSite('waits')
  late = setTimeout(() => settle('failed'), PATIENCE_MS)
}
const settle = (site: 'in' | 'signed_out' | 'failed') => {
  clearTimeout(late)
  isAsked = false
  setSite(site)
}

/** Asks the page for a token: by itself, or as the visitor's button does. */
export const askSite = () => {
  if (!askPage) return window.location.reload()
  askedAt = performance.now()
  ask++
  isAsked = true
  wait()
  askPage(ask)
}

const memberKey = (accountId: string) => `site_member_${accountId}`

/** Whether the account that is signed in here is not the one of the page. */
const isOther = () => {
  const { accountId } = currentSession()
  return accountId !== undefined && member !== undefined && member !== (getStored(memberKey(accountId)) ?? '')
}

/** The page says hello, or that another member is signed in on it now. */
export const greet = (said: Record<string, unknown>, sendAsk: (ask: number) => void) => {
  if (said.signIn !== true) return
  askPage = sendAsk
  member = typeof said.member === 'string' ? said.member : undefined
  const mine = ++ask
  isAsked = false
  if (!currentSession().accountId || said.fresh === true || isOther()) wait()
  work = work.then(async () => {
    if (currentSession().accountId && (said.fresh === true || isOther())) await signOut()
    if (mine !== ask) return
    if (currentSession().accountId) return settle('in')
    if (member === '') return settle('signed_out')
    askSite()
  })
}

/** What the page's server has answered: a token, or why there is none. */
export const takeAnswer = ({ ask: answered, token, why }: Record<string, unknown>) => {
  if (!isAsked || answered !== ask) return
  if (typeof token !== 'string') return settle(why === 'signed-out' ? 'signed_out' : 'failed')
  const [mine, whose] = [ask, member ?? '']
  isAsked = false
  clearTimeout(late)
  work = work.then(async () => {
    if (mine !== ask) return
    const accountId = await signInByToken(token).catch(() => undefined)
    if (accountId !== undefined) setStored(memberKey(accountId), whose)
    if (mine === ask) settle(accountId === undefined ? 'failed' : 'in')
  })
}

if (currentSession().site === 'waits') wait()
onSession(() => {
  if (currentSession().site === 'ended' && member !== '' && performance.now() - askedAt > PAUSE_MS) askSite()
})
