import { test } from 'vitest'
import { judgeTroubles, troubles } from './cuts.ts'

test('[R8] the way to the clients and to the database is cut and held up: nothing is lost or doubled, and all goes on', async () => {
  const briefly = (['clients', 'database'] as const).flatMap((where) =>
    (['cut', 'stall'] as const).map((how) => ({ where, how, ms: 100 })),
  )
  judgeTroubles(await troubles(briefly, { patience: 2000 }))
}, 120_000)

test('[R8] the database has ended a connection and the house was told nothing: it asks over another one', async () => {
  judgeTroubles(await troubles([{ where: 'database', how: 'lose', ms: 0 }], { patience: 2000 }))
}, 120_000)
