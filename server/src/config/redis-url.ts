import { addressOf, splitServers } from './server-list.ts'

/** One Redis, or the one that Sentinel names the master. */
export type RedisAddress =
  | { url: string }
  | {
      /** Which master: Sentinel may watch several. */
      name: string
      sentinels: { host: string; port: number }[]
      username: string | undefined
      password: string | undefined
    }

const SENTINEL = /^redis\+sentinel:\/\/[^/?#]*\/([^/?#]+)$/

/** redis://… or redis+sentinel://user:password@one:26379,two:26379/name; undefined when it is neither. */
export const parseRedisUrl = (given: string): RedisAddress | undefined => {
  const [, name] = SENTINEL.exec(given) ?? []
  if (name === undefined) return /^rediss?:\/\/[^,]+$/.test(given) && URL.canParse(given) ? { url: given } : undefined
  const urls = splitServers(given)?.map((address) => new URL(address))
  if (!urls?.every(({ hostname }) => hostname !== '')) return undefined
  const part = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined)
  return {
    name: decodeURIComponent(name),
    sentinels: urls.map((url) => addressOf(url, 26379)),
    username: part(urls[0]?.username),
    password: part(urls[0]?.password),
  }
}
