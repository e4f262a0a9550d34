import type { Answer } from '@tallyroom/contract'
import { one, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { ensure } from '../../../lib/refusal.ts'
import type { OpenCtx } from '../../handler.ts'

type Row = Omit<Answer<'member/invitation'>, 'picture'> & { picture: string | null }

/** FIRST-03: what the sign-up page shows of the group behind a share code. Anyone may ask, so it is no more than that. */
export const invitationOf = async (
  { db, services }: OpenCtx,
  shareCode: string,
): Promise<Answer<'member/invitation'>> => {
  const found = ensure(
    await one<Row>(
      db,
      sql`select coalesce(nullif(i.nickname, ''), i.username) as nickname,
          coalesce(nullif(s.name, ''), nullif(g.nickname, ''), nullif(i.nickname, ''), i.username) as name,
          g.thumbnail_id as picture, coalesce(s.header_background_color, '') as header_background_color,
          coalesce(s.header_font_color, '') as header_font_color
        from accounts i join accounts g on g.id = i.group_id left join lateral
          (select s.* from settings s join accounts a on a.id = s.account_id
            where a.id = any(string_to_array(trim(both '/' from g.path), '/')::int[]) order by length(a.path) desc limit 1) s on true
        where i.share_code = ${shareCode} and i.status = ${is.active} and i.role_id <= ${is.customerService}`,
    ),
    'signup.unknown_share_code',
  )
  // In the answer: the address of a picture would need a session.
  const picture = found.picture ? await services.media.avatarUrl(db, found.picture) : ''
  return { ...found, picture }
}
