import type pg from 'pg'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import { makeLog } from '../lib/log.ts'
import { openData } from './data.ts'
import type { Part } from './part.ts'
import { type Running, serve } from './serve.ts'

/** Starts the services on a migrated database and listens, unless this is the writer. */
export const startServices = async (
  settings: Settings,
  database: pg.PoolConfig,
  log: Logger = makeLog(settings.logLevel),
  part: Part = { kind: 'alone' },
): Promise<Running> => serve(await openData(settings, database, log, part.kind), part)
