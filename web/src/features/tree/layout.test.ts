import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { treeRow } from '../../testing/fixtures.ts'
import { makeTypeAhead, moveBy } from './keys.ts'
import { accountKey, layOut, type Line, lineAt, membersKey, indexOf } from './layout.ts'

const agent = (id: number, team: number, members: number) =>
  treeRow({ id, username: `agent${id}`, nickname: '', team, members })
const member = (id: number) => treeRow({ id, role_id: Role.member, username: `member${id}`, nickname: '' })

/** Ann has two agents and 3 members; the second agent has 10,000 members, of which two are known. */
const root = agent(1, 2, 3)
const lists = new Map([
  [
    '1/team',
    {
      total: 2,
      rows: new Map([
        [0, agent(2, 0, 0)],
        [1, agent(3, 0, 10_000)],
      ]),
    },
  ],
  [
    '3/members',
    {
      total: 10_000,
      rows: new Map([
        [0, member(100)],
        [9_999, member(10_099)],
      ]),
    },
  ],
])
const open = new Set([accountKey(1), accountKey(3), membersKey(3)])
const layout = layOut(root, lists, open)
const said = (line: Line | undefined) =>
  line &&
  `${line.kind === 'account' ? line.row.username : `${line.kind} ${line.at}`} at ${line.level} of ${line.siblings}`

test('[TREE-01] 10,000 members of which two are loaded are lines like the others, without a row for each', () => {
  expect(layout.count).toBe(3 + 1 + 10_000 + 1)
  expect(layout.runs.length).toBeLessThan(8)
  expect([0, 1, 2, 3, 4, 5, 10_003, 10_004].map((index) => said(lineAt(layout, index)))).toEqual([
    'agent1 at 1 of 1',
    'agent2 at 2 of 3',
    'agent3 at 2 of 3',
    'members 0 at 3 of 1',
    'member100 at 4 of 10000',
    'unknown 1 at 4 of 10000',
    'member10099 at 4 of 10000',
    'members 2 at 2 of 3',
  ])
  expect([lineAt(layout, -1), lineAt(layout, layout.count)]).toEqual([undefined, undefined])
  expect([indexOf(layout, 1), indexOf(layout, 3), indexOf(layout, 10_099), indexOf(layout, 5)]).toEqual([
    0, 2, 10_003, -1,
  ])
})

test('[TREE-01] each line knows the line above it in the tree', () => {
  expect([0, 1, 2, 3, 4, 10_003, 10_004].map((index) => lineAt(layout, index)?.parentLine)).toEqual([
    -1, 0, 0, 2, 3, 3, 0,
  ])
})

const press = (key: string, active: number) =>
  moveBy(key, { layout, active, isOpen: (wanted) => open.has(wanted), rowsOnScreen: 10 })

test('[TREE-01] the keys of a treegrid move, open and close', () => {
  expect(press('ArrowDown', 0)).toEqual({ to: 1 })
  expect(press('ArrowUp', 0)).toEqual({ to: 0 })
  expect(press('Home', 9)).toEqual({ to: 0 })
  expect(press('End', 0)).toEqual({ to: 10_004 })
  expect(press('PageDown', 1)).toEqual({ to: 11 })
  expect(press('PageUp', 5)).toEqual({ to: 0 })
  // Right opens, then goes in; left closes, then goes up.
  expect(press('ArrowRight', 2)).toEqual({ to: 3 })
  expect(press('ArrowRight', 10_004)).toEqual({ toggle: membersKey(1), isOpen: true })
  expect(press('ArrowRight', 1)).toBeUndefined()
  expect(press('ArrowLeft', 3)).toEqual({ toggle: membersKey(3), isOpen: false })
  expect(press('ArrowLeft', 10_003)).toEqual({ to: 3 })
  expect(press('ArrowLeft', 1)).toEqual({ to: 0 })
  expect(press('x', 0)).toBeUndefined()
})

test('[TREE-01] letters find the next name that begins with them', () => {
  const find = makeTypeAhead((line) => (line.kind === 'account' ? line.row.username : ''))
  const type = (key: string, active: number, timeStamp: number) => find(layout, active, { key, timeStamp })
  expect([type('a', 0, 0), type('g', 1, 100)]).toEqual([1, 1])
  // After a pause a new word begins, and the same letter again goes on.
  expect([type('m', 1, 2000), type('m', 4, 2100)]).toEqual([4, 10_003])
  expect(type('z', 0, 9000)).toBe(-1)
})
