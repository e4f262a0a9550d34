/**
 * A share domain that a person typed, in its normal form; empty for none, undefined when no link can be made of it. It is
 * the text of a link and nothing else: the server never opens it. A query is allowed only where the share code is appended
 * to it (`?a=`); after any other one `/Signup/{share_code}` would become part of the query.
 */
export const shareDomain = (text: string): string | undefined => {
  if (text === '') return ''
  // A browser's parser drops or rewrites these, so the link would lead somewhere else than it reads.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || text.includes('#')) return undefined
  if (text.includes('?') && !url.search.startsWith('?a=')) return undefined
  return url.search ? url.href : url.href.replace(/\/+$/, '')
}
