import type { shareCalls } from '@tallyroom/contract/calls/accounts/share'
import { audit, differencesOf } from '../../identity/audit.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { mediaIdOf, mediaUrl } from '../../chat/media-url.ts'
import { shareDomain } from '../../accounts/share-domain.ts'

export const shareHandlers = {
  'share/savePicture': async (ctx, { picture }) => {
    const { db, services, actor } = ctx
    const shown = await one<{ old: string }>(
      db,
      sql`select customized_cs_qrcode_pic_url as old from accounts where id = ${actor.id} and customized_has_qrcode_show = 1 for no key update`,
    )
    if (!shown) return refuse('access.denied')
    // Always a path on this server, never a typed address: every page that shows it would load it.
    const address = picture
      ? mediaUrl(await services.media.savePicture(db, { topId: actor.topId, senderId: actor.id }, 'poster', picture))
      : ''
    await run(db, sql`update accounts set customized_cs_qrcode_pic_url = ${address} where id = ${actor.id}`)
    if (shown.old) await services.media.remove(db, mediaIdOf(shown.old))
    await audit(db, ctx, 'account_edited', actor, { qrcode_picture: picture ? 'changed' : 'removed' })
    db.afterCommit(() => services.hub.notify(actor.id, 'account', { account_id: actor.id }))
    return null
  },

  'share/saveDomain': async (ctx, input) => {
    const { db, services, actor } = ctx
    const domain = ensure(shareDomain(input.domain), 'share.domain_invalid')
    const before = ensure(
      await one<{ domain: string }>(db, sql`select domain from accounts where id = ${actor.id} for no key update`),
      'account.not_found',
    )
    const differences = differencesOf({ share_domain: before.domain }, { share_domain: domain })
    if (Object.keys(differences).length === 0) return { domain }
    await run(db, sql`update accounts set domain = ${domain} where id = ${actor.id}`)
    await audit(db, ctx, 'account_edited', actor, differences)
    // Its customer service shows the same link.
    const shown = await many<{ id: number }>(
      db,
      sql`select id from accounts where group_id = ${actor.id} and role_id <= ${is.customerService}`,
    )
    db.afterCommit(() => {
      for (const { id } of shown) services.hub.notify(id, 'account', { account_id: id })
    })
    return { domain }
  },
} satisfies Handlers<typeof shareCalls>
