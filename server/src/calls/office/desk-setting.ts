import type { deskSettingCalls } from '@tallyroom/contract/calls/office/desk-setting'
import { run, sql } from '../../data/sql.ts'
import { rulesOf } from '../../chat/desk/rules.ts'
import { audit, differencesOf } from '../../identity/audit.ts'
import type { Handlers } from '../handler.ts'

export const deskSettingHandlers = {
  'deskSetting/view': ({ db, actor }) => rulesOf(db, actor.groupId),

  'deskSetting/save': async (ctx, rules) => {
    const { db, services, actor } = ctx
    // Two saves at once would both write the same value before into the log.
    await run(db, sql`select 1 from accounts where id = ${actor.groupId} for no key update`)
    const differences = differencesOf(await rulesOf(db, actor.groupId), rules)
    if (Object.keys(differences).length === 0) return null
    await run(
      db,
      sql`insert into desk_settings (group_id, top_id, assign, capacity, sticky_hours, answer_s, gone_s)
          values (${actor.groupId}, ${actor.topId}, ${rules.assign}, ${rules.capacity}, ${rules.sticky_hours},
            ${rules.answer_s}, ${rules.gone_s})
        on conflict (group_id) do update set assign = excluded.assign, capacity = excluded.capacity,
          sticky_hours = excluded.sticky_hours, answer_s = excluded.answer_s, gone_s = excluded.gone_s`,
    )
    await audit(db, ctx, 'settings_changed', actor, differences)
    db.afterCommit(() => services.hub.colleaguesChanged([actor.groupId]))
    return null
  },
} satisfies Handlers<typeof deskSettingCalls>
