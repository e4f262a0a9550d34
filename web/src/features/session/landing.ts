export type Token = { kind: 'agent' | 'landing'; token: string; who: string }
const agentPaths = new Set(['/agentlogin', '/autologin', '/auto-login'])

/**
 * The token in the address of a landing, which is taken out of the address and the history before anything else: it must
 * not be seen, sent on or opened again. It may stand behind a # as well. Undefined on every other page.
 */
export const takeLanding = (): Token | undefined => {
  const { pathname, search, hash } = window.location
  const [first = '', token = '', customer = ''] = pathname.split('/').slice(1)
  const agent = agentPaths.has(pathname.replace(/\/+$/, '').toLowerCase())
  if (!agent && first.toLowerCase() !== 'weblogin') return undefined
  const said = new URLSearchParams(search)
  const behind = new URLSearchParams(hash.replace(/^#\/?\??/, ''))
  const value = (name: string) => said.get(name) ?? behind.get(name) ?? ''
  window.history.replaceState(null, '', `/${first}`)
  if (agent) return { kind: 'agent', token: value('agentToken'), who: value('agentUsername') }
  return { kind: 'landing', token: token || value('token'), who: customer || value('customerID') }
}
