import { agentLandings, MEMBER_LANDING } from '@tallyroom/contract/pages/office-addresses'

export type Token = { kind: 'agent' | 'landing'; token: string; who: string }

/**
 * Reads the sign-in token from the address and removes it from the address and the history at once: nobody may see,
 * share or open it again. It may be in the query or after a #. Undefined on every other page.
 */
export const takeLanding = (): Token | undefined => {
  const { pathname, search, hash } = window.location
  const [first = '', token = '', customer = ''] = pathname.split('/').slice(1)
  const agent = agentLandings.has(pathname.replace(/^\/|\/+$/g, '').toLowerCase())
  if (!agent && first.toLowerCase() !== MEMBER_LANDING) return undefined
  const query = new URLSearchParams(search)
  const fragment = new URLSearchParams(hash.replace(/^#\/?\??/, ''))
  const value = (name: string) => query.get(name) ?? fragment.get(name) ?? ''
  window.history.replaceState(null, '', `/${first}`)
  if (agent) return { kind: 'agent', token: value('agentToken'), who: value('agentUsername') }
  return { kind: 'landing', token: token || value('token'), who: customer || value('customerID') }
}
