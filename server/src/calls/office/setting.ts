import type { Parsed } from '@tallyroom/contract'
import type { settingCalls } from '@tallyroom/contract/calls/office/setting'
import { type Actor, idsOfPath } from '../../identity/actor.ts'
import { ensureAsShown, waitsForApproval } from '../../accounts/sensitive-changes.ts'
import { audit, type AuditFacts, differencesOf } from '../../identity/audit.ts'
import { type Db, one, run, sql } from '../../data/sql.ts'
import type { Ctx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { keepKeyEndpoint } from '../../accounts/endpoints/endpoints.ts'
import { outsideUrl } from '../../lib/outbound/url.ts'
import { mediaUrl } from '../../chat/media-url.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'

type Looks = {
  name: string
  image: string | null
  background_color: string
  header_background_color: string
  header_font_color: string
  late_after: number
  overdue_after: number
  cash_requests: 0 | 1
  odd_cents: 0 | 1
  owned_by_answer: 0 | 1
}
type Row = Looks & { accountId: number; api_url: string }

const isTop = (actor: Actor) => actor.id === actor.topId

/** The settings of the own group, or of the nearest account above that has some. */
const nearestSettings = (db: Db, actor: Actor, lock = sql``) => {
  const ids = idsOfPath(actor.groupPath)
  return one<Row>(
    db,
    sql`select s.account_id as "accountId", s.name, s.background_image_id as image, s.background_color,
        s.header_background_color, s.header_font_color, s.late_after, s.overdue_after, s.cash_requests, s.odd_cents,
        s.owned_by_answer,
        coalesce((select e.url from webhook_endpoints e where e.top_id = s.account_id and e.form = 'key'), '') as api_url
      from settings s join accounts a on a.id = s.account_id
      where s.account_id = any(${ids}::int[]) order by length(a.path) desc limit 1 ${lock}`,
  )
}

const defaultLooks: Looks = {
  name: '',
  image: null,
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  late_after: 2,
  overdue_after: 5,
  cash_requests: 0,
  odd_cents: 0,
  owned_by_answer: 1,
}

export const settingHandlers = {
  'setting/view': async ({ db, actor }) => {
    const { accountId, image, api_url, ...looks } = ensure(await nearestSettings(db, actor), 'setting.not_set_up')
    return {
      ...looks,
      background_image: mediaUrl(image),
      api_url: isTop(actor) ? api_url : '',
      inherited: accountId !== actor.groupId,
      is_top: isTop(actor),
    }
  },

  'setting/save': async (ctx, input) => {
    const { db, services, actor } = ctx
    // The lock makes concurrent saves wait: the second one starts from what the first has saved.
    await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
    // The first save copies the upline's image, which the upline must not delete meanwhile.
    const found = await nearestSettings(db, actor, sql`for share of s`)
    const before = found ? looksOf(found) : defaultLooks
    const old = found?.accountId === actor.id ? found.api_url : ''
    const wanted = await newUrl(ctx, input, old)
    const waits = wanted !== old && (await waitsForApproval(ctx, sensitiveUrl(actor, old, wanted)))
    const api_url = waits ? old : wanted
    const after = { ...before, ...(await newLooks(ctx, input)) }
    if (after.late_after >= after.overdue_after) return refuse('setting.wait_order')
    await store(db, actor, after)
    if (api_url !== old) await keepKeyEndpoint(db, actor.topId, api_url)
    const { image: oldImage, ...beforeTexts } = before
    const { image, ...afterTexts } = after
    const differences = differencesOf({ ...beforeTexts, api_url: old }, { ...afterTexts, api_url })
    if (image !== oldImage) {
      differences.background_image = image ? 'changed' : 'removed'
      await removeUnused(ctx, oldImage)
    }
    if (Object.keys(differences).length) await audit(db, ctx, 'settings_changed', actor, differences)
    db.afterCommit(() => services.hub.settingsChanged(actor.id))
    return waits ? { approval: 1 as const } : null
  },
} satisfies Handlers<typeof settingCalls>

const store = (db: Db, actor: Actor, after: Looks) =>
  run(
    db,
    sql`insert into settings (account_id, top_id, name, background_image_id, background_color, header_background_color,
        header_font_color, late_after, overdue_after, cash_requests, odd_cents, owned_by_answer)
      values (${actor.id}, ${actor.topId}, ${after.name}, ${after.image}, ${after.background_color},
        ${after.header_background_color}, ${after.header_font_color}, ${after.late_after},
        ${after.overdue_after}, ${after.cash_requests}, ${after.odd_cents}, ${after.owned_by_answer})
      on conflict (account_id) do update set name = excluded.name, background_image_id = excluded.background_image_id,
        background_color = excluded.background_color, header_background_color = excluded.header_background_color,
        header_font_color = excluded.header_font_color, late_after = excluded.late_after,
        overdue_after = excluded.overdue_after, cash_requests = excluded.cash_requests, odd_cents = excluded.odd_cents,
        owned_by_answer = excluded.owned_by_answer, updated_at = now()`,
  )

/** An image that was replaced, unless others have it from here. */
const removeUnused = async ({ db, services }: Ctx, image: string | null) => {
  if (image === null) return
  const used = await one(db, sql`select 1 as used from settings where background_image_id = ${image}`)
  if (!used) await services.media.remove(db, image)
}

const sensitiveUrl = (actor: Actor, old: string, api_url: string) => ({
  kind: 'api_url' as const,
  call: 'setting/save',
  input: { api_url },
  target: { id: actor.topId, topId: actor.topId },
  facts: { api_url: [old, api_url] as const },
})

/** Makes the webhook address that was approved, as `shown`. */
export const makeUrl = async (ctx: Ctx, { api_url }: { api_url: string }, shown: AuditFacts): Promise<void> => {
  const { db, services, actor } = ctx
  await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
  const found = await nearestSettings(db, actor)
  const { facts } = sensitiveUrl(actor, found?.api_url ?? '', api_url)
  ensureAsShown(shown, facts)
  await store(db, actor, found ? looksOf(found) : defaultLooks)
  await keepKeyEndpoint(db, actor.topId, checkedUrl(ctx, api_url))
  await audit(db, ctx, 'settings_changed', actor, facts)
  db.afterCommit(() => services.hub.settingsChanged(actor.id))
}

const looksOf = ({ accountId: _accountId, api_url: _apiUrl, ...looks }: Row): Looks => looks

type Input = Parsed<'setting/save'>

const newLooks = async (
  { db, services, actor }: Ctx,
  { background_image, ...input }: Input,
): Promise<Partial<Looks>> => {
  const { api_url: _apiUrl, current_password: _password, ...texts } = input
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined))
  if (background_image === undefined) return given
  const image =
    background_image === ''
      ? null
      : await services.media.savePicture(db, { topId: actor.topId, senderId: actor.id }, 'background', background_image)
  return { ...given, image }
}

/** The webhook address can be changed by the top account only, and not by a stolen session. */
const newUrl = async (ctx: Ctx, { api_url, current_password }: Input, old: string): Promise<string> => {
  if (api_url === undefined || api_url === old) return old
  const url = checkedUrl(ctx, api_url)
  if (url !== old) await needFreshSignIn(ctx, current_password)
  return url
}

const checkedUrl = ({ actor, services }: Ctx, api_url: string): string => {
  if (!isTop(actor)) return refuse('setting.url_not_yours')
  if (api_url === '') return ''
  return outsideUrl(api_url, services.settings.allowPrivateWebhooks) ?? refuse('setting.url_invalid')
}
