import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { zoneBreach } from './zones.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each([
  ['contract/calls/conversation/room.ts', '../points.ts', undefined],
  ['contract/calls/conversation/room.ts', '@tallyroom/locales', /contract imports nothing of ours/],
  ['contract/wire.ts', '../server/src/db.ts', /contract imports nothing of ours/],
  ['locales/index.ts', '@tallyroom/contract', /locales imports nothing of ours/],
  ['web/src/api/call.ts', '@tallyroom/contract/wire', undefined],
  ['web/src/api/call.ts', '../../../server/src/identity/policy.ts', /web never imports server/],
  ['web/src/api/call.ts', '@tallyroom/server/src/db.ts', /web never imports server/],
  ['web/src/api/call.ts', 'react', undefined],
  ['server/src/calls/conversation/room.ts', '../../db.ts', undefined],
  ['server/src/calls/conversation/room.ts', './message.ts', /never import each other/],
  ['server/src/calls/conversation/room.ts', '../accounts/account.ts', /never import each other/],
  ['server/src/calls/conversation/room.ts', '../handler.ts', undefined],
  ['server/src/calls/conversation/room.ts', './room/list.ts', undefined],
  ['server/src/calls/conversation/room/list.ts', '../message.ts', /never import each other/],
  ['server/src/calls/conversation/room.test.ts', './message.ts', undefined],
  ['server/src/identity/sessions.ts', '../calls/handler.ts', /floors/],
  ['server/src/identity/sessions.ts', '../services.ts', /floors/],
  ['server/src/identity/sessions.ts', '../data/sql.ts', undefined],
  ['server/src/identity/sessions.ts', './sign-in/tokens.ts', undefined],
  ['server/src/identity/sessions.test.ts', '../calls/sign-in/session.ts', undefined],
  ['server/src/calls/handler.ts', '../services.ts', undefined],
  ['server/src/services.ts', './http/connections.ts', /floors/],
  ['server/src/services.ts', './chat/media.ts', undefined],
  ['server/src/chat/messages.ts', './bot/work.ts', /floors/],
  ['server/src/chat/messages.ts', './room-row.ts', undefined],
  ['server/src/chat/media.ts', './files/inspect.ts', undefined],
  ['server/src/chat/files/inspect.ts', '../media.ts', /floors/],
  ['server/src/chat/bot/switch-room.ts', '../desk/desk.ts', undefined],
  ['server/src/chat/desk/desk.ts', '../bot/work.ts', /floors/],
  ['server/src/http/app.ts', '../member-api/route.ts', /floors/],
  ['server/src/start/services.ts', './member-api/route.ts', undefined],
  ['postgres/lock.ts', '../server/src/lib/log.ts', /package of its own/],
  ['server/src/main.ts', '@tallyroom/postgres', undefined],
  ['server/src/demo/demo.ts', '../cli/account.ts', /floors/],
  ['server/src/cli/account.ts', '../main.ts', /floors/],
  ['web/src/chat/model/rooms/rooms.ts', '../../view/list.tsx', /floors/],
  ['web/src/chat/view/list.tsx', '../model/rooms/rooms.ts', undefined],
  ['web/src/ui/table.tsx', '../features/room/page.tsx', /floors/],
  ['web/src/ui/table.tsx', '../domain/status.tsx', /floors/],
  ['web/src/domain/status.tsx', '../ui/icon.tsx', undefined],
  ['web/src/member/page.tsx', '../features/room/page.tsx', /floors/],
  ['server/src/calls/index.ts', './conversation/room.ts', undefined],
  ['server/src/data/sql.ts', '../testing/postgres.ts', /for tests only/],
  ['server/src/db.test.ts', './testing/postgres.ts', undefined],
  ['web/src/features/one/page.tsx', '../other/dialog.tsx', /cross only by the list/],
  ['web/src/features/room/page.tsx', './list.tsx', undefined],
  ['web/src/features/room/list/rows.tsx', '../page/room.tsx', /floors/],
  ['web/src/features/room/list/rows.tsx', '../panel/panel.tsx', /floors/],
  ['web/src/features/room/list/rows.tsx', '../state/address.ts', undefined],
  ['web/src/features/room/page.tsx', '../../ui/table.tsx', undefined],
  ['web/src/features/room/page.tsx', '../../app/shell/shell.tsx', /never import web\/src\/app/],
  ['web/src/app/palette/choices.ts', '../../features/room/list.ts', /import no feature/],
  ['web/src/app/routes.tsx', '../features/room/page.tsx', undefined],
  ['web/src/ui/table.tsx', '../features/room/page.tsx', /imports only from those below it/],
])('%s importing %s', (from, specifier, expected) => {
  const said = zoneBreach(root + from, specifier)
  if (expected) expect(said).toMatch(expected)
  else expect(said).toBeUndefined()
})

test('the browser imports types of calls, and no schemas', () => {
  const [page, call] = [`${root}web/src/features/room/page.tsx`, '@tallyroom/contract/calls/conversation/room']
  expect(zoneBreach(page, call)).toMatch(/only types of calls/)
  expect(zoneBreach(page, call, { isType: true })).toBeUndefined()
  expect(zoneBreach(page, '@tallyroom/contract/codes')).toBeUndefined()
  expect(zoneBreach(`${root}web/src/testing/fake-server.ts`, call)).toBeUndefined()
})
