import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { zoneBreach } from './zones.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each([
  ['contract/calls/room.ts', '../points.ts', undefined],
  ['contract/calls/room.ts', '@tallyroom/locales', /contract imports nothing of ours/],
  ['contract/wire.ts', '../server/src/db.ts', /contract imports nothing of ours/],
  ['locales/index.ts', '@tallyroom/contract', /locales imports nothing of ours/],
  ['web/src/api/call.ts', '@tallyroom/contract/wire', undefined],
  ['web/src/api/call.ts', '../../../server/src/identity/policy.ts', /web never imports server/],
  ['web/src/api/call.ts', '@tallyroom/server/src/db.ts', /web never imports server/],
  ['web/src/api/call.ts', 'react', undefined],
  ['server/src/calls/room.ts', '../db.ts', undefined],
  ['server/src/calls/room.ts', './account.ts', /never import each other/],
  ['server/src/calls/room.ts', './room/list.ts', undefined],
  ['server/src/calls/room/list.ts', '../account.ts', /never import each other/],
  ['server/src/calls/room.test.ts', './account.ts', undefined],
  ['server/src/identity/sessions.ts', '../calls/handler.ts', /floors/],
  ['server/src/identity/sessions.ts', '../services.ts', /floors/],
  ['server/src/identity/sessions.ts', '../data/sql.ts', undefined],
  ['server/src/identity/sessions.ts', './sign-in/tokens.ts', undefined],
  ['server/src/identity/sessions.test.ts', '../calls/session.ts', undefined],
  ['server/src/calls/handler.ts', '../services.ts', undefined],
  ['server/src/services.ts', './http/connections.ts', undefined],
  ['server/src/http/app.ts', '../member-api/route.ts', /floors/],
  ['server/src/start-services.ts', './member-api/route.ts', undefined],
  ['postgres/lock.ts', '../server/src/lib/log.ts', /package of its own/],
  ['server/src/main.ts', '@tallyroom/postgres', undefined],
  ['server/src/demo/demo.ts', '../cli/account.ts', /floors/],
  ['server/src/cli/account.ts', '../main.ts', /floors/],
  ['web/src/chat/model/rooms.ts', '../view/list.tsx', /floors/],
  ['web/src/chat/view/list.tsx', '../model/rooms.ts', undefined],
  ['web/src/ui/table.tsx', '../features/room/page.tsx', /floors/],
  ['web/src/member/page.tsx', '../features/room/page.tsx', /floors/],
  ['server/src/calls/index.ts', './calls/room.ts', undefined],
  ['server/src/data/sql.ts', '../testing/postgres.ts', /for tests only/],
  ['server/src/db.test.ts', './testing/postgres.ts', undefined],
  ['web/src/features/one/page.tsx', '../other/dialog.tsx', /cross only by the list/],
  ['web/src/features/room/page.tsx', './list.tsx', undefined],
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
