import { type Mention, mentionParts, mentionsIn } from '@tallyroom/contract/text/mentions'
import { refuse } from '../../lib/refusal.ts'
import { type Named, shownUsername, type Viewer } from '../../identity/masking.ts'
import { type Sql, sql } from '../../data/sql.ts'
import { shownName } from '../room-views.ts'

/** An account that a stored text mentions. */
export type Mentioned = Named & { nickname: string }

/**
 * A text as it is stored: `<@ID>` in the place of each mention. Somebody who types that by hand mentions nobody, as the ids
 * are beside the text. @throws Refused request.invalid when a mention is not in the text
 */
export const storedMentions = (text: string, mentions: readonly Mention[]): { content: string; ids: number[] } => {
  if (mentionsIn(text, mentions).length < mentions.length) return refuse('request.invalid', { field: 'mentions' })
  const content = mentionParts(text, mentions).map((part) => (typeof part === 'string' ? part : tokenOf(part)))
  return { content: content.join(''), ids: [...new Set(mentions.map(({ id }) => id))] }
}

const tokenOf = ({ id }: { id: number }) => `<@${id}>`

/** The accounts of the column `mentions`, as `shownMentions` takes them; null without any. */
export const mentionedAccounts = (mentions: Sql): Sql =>
  sql`case when ${mentions} <> '{}' then (select json_agg(json_build_object('id', m.id, 'username', m.username,
    'isSub', m.is_sub, 'nickname', m.nickname) order by m.id) from accounts m where m.id = any(${mentions})) end`

export type ShownMention = { id: number; name: string; username: string }

/** A stored text with the names of now, as the viewer may see them. */
export const shownMentions = (
  viewer: Viewer,
  content: string,
  accounts: readonly Mentioned[] | null,
): { content: string; mentions?: ShownMention[] } => {
  if (!accounts) return { content }
  const names = accounts.map((account) => shownName(viewer, account, account.nickname))
  const mentions = accounts.map((account, at) => {
    const name = names[at] ?? ''
    const username = shownUsername(viewer, account)
    const isShared = names.indexOf(name) !== names.lastIndexOf(name)
    return { id: account.id, name: isShared ? `${name} (${username})` : name, username }
  })
  const shown = mentions.reduce((text, one) => text.replaceAll(tokenOf(one), () => `@${one.name}`), content)
  return { content: shown, mentions }
}
