import { Role, isOffice } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { policy, rightOf } from '../src/identity/policy.ts'
import { type Reply, type TestServer, startTestServer } from '../src/testing/app.ts'
import { about, alone, hashOfAll, makeWorld, type World } from '../src/testing/matrix.ts'
import { chainOf, groupOf, isInRoom, type Name, names, parentOf, sees, tree } from '../src/testing/matrix-tree.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
}, 60_000)

// Who may do what, said a second time and in other words than policy.ts and visible() say it: the test is that both agree.

/** Its own members, and the agents right below it, whose customer service it is. */
const isContact = (who: Name, whom: Name) =>
  isOffice(tree[who].role) &&
  (isInRoom(who, whom) || (tree[whom].role === Role.agent && parentOf(whom) === groupOf(who)))
const isUpline = (who: Name, whom: Name) => tree[who].role === Role.agent && parentOf(who) === whom

type Verdict = 'ok' | 'denied' | 'absent'
type Judge = (who: Name, whom: Name) => Verdict
const ifSeen: Judge = (who, whom) => (sees(who, whom) ? 'ok' : 'absent')
const ifInRoom: Judge = (who, whom) => (isInRoom(who, whom) ? 'ok' : 'absent')
const notSelf =
  (judge: Judge): Judge =>
  (who, whom) =>
    who === whom ? 'denied' : judge(who, whom)
/** Points go neither to oneself nor upward, nor to the purse one gives from. */
const notUp =
  (judge: Judge): Judge =>
  (who, whom) =>
    chainOf(who).includes(whom) ? 'denied' : judge(who, whom)

const office = [1, 2, 3]
const heads = [1, 2]
const all = [1, 2, 3, 4]
const ifSeenMember: Judge = (who, whom) => (tree[whom].role === Role.member ? ifSeen(who, whom) : 'absent')
const judges: Partial<Record<CallName, { roles: number[]; judge?: Judge }>> = {
  'user/view': { roles: all, judge: ifSeen },
  'user/path': { roles: office, judge: ifSeen },
  'user/abilities': { roles: heads, judge: notSelf(ifSeen) },
  'user/saveAbilities': { roles: heads, judge: notSelf(ifSeen) },
  'session/listOf': { roles: heads, judge: notSelf(ifSeen) },
  'session/endOf': { roles: heads, judge: notSelf(ifSeen) },
  'user/edit': {
    roles: all,
    judge: (who, whom) =>
      sees(who, whom) && who !== whom && tree[who].role === Role.customerService ? 'denied' : ifSeen(who, whom),
  },
  'user/delete': { roles: heads, judge: notSelf(ifSeen) },
  'user/transaction': {
    roles: office,
    judge: notUp((who, whom) =>
      sees(who, whom) && tree[whom].role === Role.customerService ? 'denied' : ifSeen(who, whom),
    ),
  },
  'member/view': { roles: office, judge: ifSeenMember },
  'transaction/add': { roles: office, judge: notUp(ifSeenMember) },
  // A transfer belongs to whoever stands above the one who made it, and to those who give from the same purse.
  'transaction/edit': {
    roles: office,
    judge: (who, whom) => {
      const maker = parentOf(whom) ?? whom
      return tree[whom].role === Role.member && (groupOf(who) === maker || sees(who, maker)) ? 'ok' : 'absent'
    },
  },
  'transaction/correct': { roles: [1], judge: ifSeenMember },
  'wallet/toGame': { roles: [4] },
  'member/flowLimit': { roles: all, judge: ifSeenMember },
  'envelope/answer': { roles: [4], judge: (who, whom) => (who === whom ? 'ok' : 'absent') },
  'room/enter': {
    roles: all,
    judge: (who, whom) => (isInRoom(who, whom) || isContact(who, whom) || isUpline(who, whom) ? 'ok' : 'absent'),
  },
  'friend/view': {
    roles: office,
    judge: (who, whom) => (isContact(who, whom) || isUpline(who, whom) ? 'ok' : 'absent'),
  },
  'friend/edit': {
    roles: office,
    judge: (who, whom) => (isUpline(who, whom) ? 'denied' : isContact(who, whom) ? 'ok' : 'absent'),
  },
  'friend/list': { roles: office },
  'customer/list': { roles: office },
  'search/accounts': { roles: office },
  'search/messages': { roles: office },
  'search/notes': { roles: office },
  'room/history': { roles: all, judge: ifInRoom },
  'room/sync': { roles: all, judge: ifInRoom },
  'room/changeStatus': { roles: office, judge: ifInRoom },
  'draft/save': { roles: all, judge: ifInRoom },
  'draft/list': { roles: all },
  'desk/take': { roles: office, judge: ifInRoom },
  // Before this the head has taken each room of his group.
  'desk/handOver': {
    roles: office,
    judge: (who, whom) =>
      isInRoom(who, whom) && tree[who].role === Role.customerService ? 'denied' : ifInRoom(who, whom),
  },
  'desk/release': { roles: office, judge: ifInRoom },
  'desk/whisper': { roles: office, judge: ifInRoom },
  'desk/asides': { roles: office, judge: ifInRoom },
  'desk/settle': { roles: office, judge: ifInRoom },
  'desk/markUnread': { roles: office, judge: ifInRoom },
  'desk/colleagues': { roles: office },
  'desk/bulk': { roles: office },
  'room/recover': { roles: office, judge: ifInRoom },
  // Nobody here has been given the bot.
  'room/giveToBot': { roles: office, judge: (who, whom) => (isInRoom(who, whom) ? 'denied' : 'absent') },
  'ai/view': { roles: heads },
  'ai/save': { roles: heads },
  sendMessage: { roles: all, judge: ifInRoom },
  readMessage: { roles: all, judge: ifInRoom },
  'orderType/list': { roles: office },
  'orderType/save': { roles: [1] },
  'members/hasBankCardSetting': { roles: office },
  'members/bank-card': { roles: office, judge: ifSeenMember },
  'members/bank-card/create': { roles: [1, 3], judge: ifSeenMember },
  'members/bank-card/delete': { roles: [1, 3], judge: ifSeenMember },
  'members/bank-account': { roles: office, judge: ifSeenMember },
  'members/bank-account/create': { roles: [1, 3], judge: ifSeenMember },
  'members/bank-account/show': { roles: office, judge: ifSeenMember },
  'bank_setting/view': { roles: [1] },
  'bank_setting/save': { roles: [1] },
  'note/list': { roles: office, judge: ifInRoom },
  'note/add': { roles: office, judge: ifInRoom },
  'note/edit': { roles: office, judge: ifInRoom },
  'note_content/list': { roles: office, judge: ifInRoom },
  'note_content/add': { roles: office, judge: ifInRoom },
  'note_content/edit': { roles: office, judge: ifInRoom },
  'note_content/delete': { roles: office, judge: ifInRoom },
  // Each member's head has made one; those of his group share it.
  'message-template/update': { roles: office, judge: ifInRoom },
  'message-template/use': { roles: office, judge: ifInRoom },
  'message-template/delete': { roles: office, judge: ifInRoom },
  'message-template/list': { roles: office },
  'message-template/create': { roles: office },
  'userMenu/list': { roles: office },
  'userMenu/auth': { roles: office },
  'user/list': { roles: office },
  'user/export': { roles: heads },
  'user/add': { roles: heads },
  'user/paymentPassword': { roles: office },
  'transaction/list': { roles: all },
  'redEnvelope/record': { roles: all },
  'transaction/view': { roles: office, judge: ifSeenMember },
  'transaction/export': { roles: heads },
  'home/view': { roles: office },
  'push/view': { roles: all },
  'push/subscribe': { roles: all },
  'push/unsubscribe': { roles: all },
  'report/sr02': { roles: heads },
  'report/sr02Export': { roles: heads },
  'report/reconciliation': { roles: [1] },
  'report/check': { roles: [1] },
  'audit/list': { roles: [1] },
  'setting/view': { roles: all },
  'setting/save': { roles: heads },
  'share/savePicture': { roles: office },
  'share/saveDomain': { roles: heads },
  'apiKey/list': { roles: [1] },
  'apiKey/add': { roles: [1] },
  'apiKey/rotate': { roles: [1] },
  'apiKey/revoke': { roles: [1] },
  'webhook/list': { roles: [1] },
  'room/list': { roles: all },
  logout: { roles: all },
  'session/list': { roles: all },
  'session/end': { roles: all },
  'session/endOthers': { roles: all },
  'factor/view': { roles: office },
  'factor/begin': { roles: office },
  'factor/confirm': { roles: office },
  'factor/sendCode': { roles: office },
  'factor/remove': { roles: office },
  'factor/recoveryCodes': { roles: office },
  'factor/sendPhoneCode': { roles: office },
  'factor/setPhone': { roles: office },
  'factor/removePhone': { roles: office },
}

/** Kinds of actor: those with a living session, and those without. */
const actors = 'top agent sub sibling cs siblingCs member siblingMember strangerMember'.split(' ') as Name[]
const nobodys = 99_999_999
const absent = {
  session: '99999999',
  code: 'A'.repeat(22),
  message_id: randomUUID(),
  transaction_id: randomUUID(),
  envelope: randomUUID(),
  room_id: nobodys,
  note_id: nobodys,
  content_id: nobodys,
  template_id: nobodys,
  bank_account_id: nobodys,
  head: 1,
}

const inputOf = (call: CallName, whom: Name | 'nobody'): object => {
  const make = about[call]
  if (!make) return alone[call] ?? {}
  if (whom === 'nobody') return make(nobodys, absent)
  const its = world.of[whom] ?? { ...absent, transaction_id: randomUUID(), envelope: randomUUID() }
  return make(world.people[whom].id, { ...its, session: world.sessions[whom] })
}
const ask = async (call: CallName, token: string | undefined, input: object): Promise<Reply> =>
  (await server.post(call, server.wire.seal(call, input), token ? { authorization: `Bearer ${token}` } : {})).reply

/** Rights only: whether a thing is possible just now is for other tests. */
const verdictOf = ({ code, message }: Reply): Verdict | 'dead' | 'broken' => {
  if (code === 9998) return 'dead'
  if (code === 1500) return 'broken'
  if (code === 1403 && message !== 'The username or password is wrong.') return 'denied'
  return code === 1404 ? 'absent' : 'ok'
}

const closed = callNames.filter((call) => rightOf(call) !== 'anyone')

test('[S1] every call has its row here, and the policy says the same of the roles', () => {
  const missing = closed.filter((call) => !judges[call] || (about[call] === undefined && alone[call] === undefined))
  // A new call: say who may make it (judges), and with what it is asked (testing/matrix.ts).
  expect(missing).toEqual([])
  const roles = Object.fromEntries(closed.map((call) => [call, (policy[call] as { roles: readonly number[] }).roles]))
  expect(roles).toEqual(Object.fromEntries(closed.map((call) => [call, judges[call]?.roles])))
})

type Case = { who: string; whom: Name | 'nobody'; token: string | undefined; expected: Verdict | 'dead' }
const casesOf = (call: CallName): Case[] => {
  const { roles = [], judge } = judges[call] ?? {}
  const objects: (Name | 'nobody')[] = judge ? [...names, 'nobody'] : ['nobody']
  const { expired, ended, frozen, agentLogin } = world.tokens
  const dead = Object.entries({ none: undefined, unknown: 'x'.repeat(43), expired, ended, frozen })
  const living = [
    ...actors.map((name) => [name, name, world.people[name].token] as const),
    ['agentLogin', 'agent', agentLogin] as const,
  ]
  return [
    ...dead.map(([who, token]): Case => ({ who, whom: 'member', token, expected: 'dead' })),
    ...living.flatMap(([who, name, token]) =>
      objects.map((whom): Case => {
        const may = roles.includes(tree[name].role)
        const verdict = !judge ? 'ok' : whom === 'nobody' ? 'absent' : judge(name, whom)
        return { who, whom, token, expected: may ? verdict : 'denied' }
      }),
    ),
  ]
}

describe('[S1] [S4] who may do what to whom', () => {
  test.each(closed)(
    '%s',
    async (call) => {
      const cases = casesOf(call)
      const wrong: string[] = []
      const absentTexts = new Set<string>()
      const judge = ({ who, whom, expected }: Case, reply: Reply) => {
        const got = verdictOf(reply)
        if (got !== expected) wrong.push(`${who} → ${whom}: ${got} (${reply.code} ${reply.message}), not ${expected}`)
        if (expected === 'absent') absentTexts.add(JSON.stringify(reply))
      }
      const before = await hashOfAll(server)
      const refused = cases.filter(({ expected }) => expected !== 'ok')
      for (let at = 0; at < refused.length; at += 12) {
        const some = refused.slice(at, at + 12)
        const replies = await Promise.all(some.map(({ token, whom }) => ask(call, token, inputOf(call, whom))))
        some.forEach((one, n) => judge(one, replies[n] as Reply))
      }
      expect(wrong).toEqual([])
      expect(await hashOfAll(server)).toEqual(before)
      // Foreign and absent: the same to the letter.
      expect(absentTexts.size).toBeLessThanOrEqual(1)
      if (alone[call] === null) return
      for (const one of cases.filter(({ expected }) => expected === 'ok')) {
        judge(one, await ask(call, one.token, inputOf(call, one.whom)))
        if (declared(call).effect === 'write') await world.mend()
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )
})
