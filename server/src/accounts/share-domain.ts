/**
 * Normalizes a share domain that a person typed: empty for none, undefined when no link can be made of it. The server
 * only shows it as a link and never opens it. A query is allowed only if it is `?a=`, where the share code is appended:
 * in any other query the code or `/Signup/` would become part of another parameter.
 */
export const shareDomain = (text: string): string | undefined => {
  if (text === '') return ''
  // URL parsers drop or rewrite these, so the link would lead elsewhere than it reads.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || text.includes('#')) return undefined
  if (text.includes('?') && url.search !== '?a=') return undefined
  return url.search ? url.href : url.href.replace(/\/+$/, '')
}
