import type { Answer } from '@tallyroom/contract'
import type { personCalls } from '@tallyroom/contract/calls/accounts/person'
import { Role } from '@tallyroom/contract/codes'
import { namesOf } from '../../accounts/accounts.ts'
import { askForApproval, ensureAsShown, exportWaits, otherAdmins } from '../../accounts/sensitive-changes.ts'
import { announceRooms } from '../../chat/announce-rooms.ts'
import { mediaUrl } from '../../chat/media-url.ts'
import { deleteNoted } from '../../data/media/deletions.ts'
import { type Db, many, one, type Row, sql } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { audit, type AuditFacts } from '../../identity/audit.ts'
import { endSessions, needFreshSignIn } from '../../identity/sessions.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { makeExportLink } from '../../retention/export-link.ts'
import { ensureSettled, erasedName, erasePerson, type Person, stillOpen } from '../../retention/person.ts'
import type { Ctx, Handlers } from '../handler.ts'

type Member = Row & {
  id: number
  topId: number
  username: string
  nickname: string
  is_sub: 0 | 1
  thumbnailId: string | null
}

/** The member below the actor. Every other account looks as if it did not exist. */
export const findMember = async (db: Db, actor: Actor, id: number): Promise<Member & Person> => {
  const found = ensure(
    await one<Member>(
      db,
      sql`select a.id, a.top_id as "topId", a.username, a.nickname, a.is_sub, a.thumbnail_id as "thumbnailId" from accounts a
        where a.id = ${id} and a.role_id = ${Role.member} and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )
  return { ...found, name: namesOf(found, actor).username }
}

type Counts = {
  messages: number
  notes: number
  files: number
  sign_ins: number
  bank_accounts: number
  transfers: number
  waits: boolean
}

const countsOf = (db: Db, id: number) =>
  one<Counts>(
    db,
    sql`with theirs as (select id from rooms where partner_id = ${id}), n as (select
        (select count(*)::int from messages where room_id in (select id from theirs)) as messages,
        ((select count(*) from asides where room_id in (select id from theirs))
          + (select count(*) from notes where room_id in (select id from theirs)))::int as notes,
        (select count(*)::int from media where room_id in (select id from theirs)
          or id = (select thumbnail_id from accounts where id = ${id})) as files,
        (select count(*)::int from sessions where account_id = ${id}) as sign_ins,
        (select count(*)::int from bank_accounts where member_id = ${id}) as bank_accounts,
        (select count(*)::int from transfers where target_id = ${id}) as transfers,
        exists (select from sensitive_changes where target_id = ${id} and kind = 'erase' and state = 'waiting'
          and expires_at > now()) as waits)
      select * from n`,
  )

const openOf = async (db: Db, id: number): Promise<Answer<'person/view'>['open']> => {
  const { points, offers, cashRequests, sensitiveChanges } = await stillOpen(db, id)
  const all = [
    { why: 'person.has_points', count: points ? 1 : 0 },
    { why: 'person.has_offers', count: offers },
    { why: 'person.has_requests', count: cashRequests },
    { why: 'person.has_changes', count: sensitiveChanges },
  ] as const
  return all.filter(({ count }) => count > 0)
}

/** The second admin approves these facts. They hold no name: the audit log's entry is written after the erasing. */
const factsOf = ({ id }: Person): AuditFacts => ({ becomes: erasedName(id) })

export const personHandlers = {
  'person/view': async ({ db, actor }, { id }) => {
    const member = await findMember(db, actor, id)
    const [counts, open, admins] = await Promise.all([countsOf(db, id), openOf(db, id), otherAdmins(db, actor)])
    const kept = counts ?? {
      messages: 0,
      notes: 0,
      files: 0,
      sign_ins: 0,
      bank_accounts: 0,
      transfers: 0,
      waits: false,
    }
    return {
      id,
      ...namesOf(member, actor),
      thumbnail: mediaUrl(member.thumbnailId),
      is_erased: member.username === erasedName(id),
      ...kept,
      // The erasing that waits itself is said apart.
      open: open.filter(({ why }) => why !== 'person.has_changes' || !kept.waits),
      is_alone: admins === 0,
    }
  },

  'person/export': async (ctx, { id }) => {
    const { db, services, actor } = ctx
    const member = await findMember(db, actor, id)
    // The file has names in full.
    if (actor.masks) return refuse('access.denied')
    const rows = (await countsOf(db, id))?.messages ?? 0
    const asked = { call: 'person/export', filter: { id }, what: 'person', rows, about: id }
    if (await exportWaits(ctx, asked)) return { approval: 1, file: '' }
    await audit(db, ctx, 'exported', member, { what: 'person', rows })
    return { approval: 0, file: makeExportLink(services.key, { sessionId: actor.session.id, memberId: id }) }
  },

  'person/erase': async (ctx, { id, current_password }) => {
    const { db, actor } = ctx
    const member = await findMember(db, actor, id)
    await needFreshSignIn(ctx, current_password)
    if ((await otherAdmins(db, actor)) === 0) return refuse('change.needs_two')
    await ensureSettled(db, member)
    await askForApproval(ctx, {
      kind: 'erase',
      call: 'person/erase',
      input: { id },
      target: member,
      facts: factsOf(member),
    })
    return { approval: 1 }
  },
} satisfies Handlers<typeof personCalls>

/** Erases the member after a second admin has approved it. */
export const makeErasure = async (ctx: Ctx, { id }: { id: number }, shown: AuditFacts): Promise<void> => {
  const { db, services, actor } = ctx
  const member = await findMember(db, actor, id)
  ensureAsShown(shown, factsOf(member))
  await endSessions(db, services.hub, id, 'frozen')
  const files = await erasePerson(db, ctx, member, services.settings.timeZone)
  const rooms = await many<{ id: number }>(db, sql`select id from rooms where partner_id = ${id}`)
  const failed = (error: unknown) =>
    services.log.error(
      { err: error, account: id },
      'The member is erased, but announcing it failed. Run npm run person -- erase with the new name',
    )
  const failedFiles = (error: unknown) =>
    services.log.error(
      { err: error, account: id },
      'The member is erased, but some of its files could not be deleted yet. The server tries again each hour',
    )
  db.afterCommit(() => {
    announceRooms(
      services.db,
      services.hub,
      rooms.map((room) => room.id),
    ).catch(failed)
  })
  // A deletion that fails stays noted, and is repeated within an hour.
  db.onlyAfterCommit(() => void deleteNoted(services.db, services.mediaStores.all, files).catch(failedFiles))
}
