import type { shareCalls } from '@tallyroom/contract/calls/share'
import { audit } from '../audit.ts'
import { one, run, sql } from '../db.ts'
import { type Handlers, refuse } from '../handler.ts'
import { mediaUrl } from '../room-views.ts'

export const shareHandlers = {
  'share/savePicture': async (ctx, { picture }) => {
    const { db, house, actor } = ctx
    const shown = await one(
      db,
      sql`select 1 as shown from accounts where id = ${actor.id} and customized_has_qrcode_show = 1 for no key update`,
    )
    if (!shown) return refuse('access.denied')
    // An address of our own and never one that was typed: whoever draws it fetches it.
    const address = picture ? mediaUrl(await house.media.keepPicture(db, actor.topId, 'poster', picture)) : ''
    await run(db, sql`update accounts set customized_cs_qrcode_pic_url = ${address} where id = ${actor.id}`)
    await audit(db, ctx, 'account_edited', actor, { qrcode_picture: picture ? 'changed' : 'removed' })
    db.afterCommit(() => house.hub.tell(actor.id, 'account', { account_id: actor.id }))
    return null
  },
} satisfies Handlers<typeof shareCalls>
