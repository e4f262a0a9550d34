import { type Db, run, type Sql, sql } from '../data/sql.ts'

/** A message of a partner that the bot has to answer (bot/work.ts). */
type BotQuestion = { roomId: number; seq: number }

/** Queues messages for the bot, as part of the statement that writes them: one is never stored without the other. */
export const botWorkRows = (questions: BotQuestion[]): Sql =>
  sql`insert into ai_work (room_id, top_id, from_seq, to_seq)
    select r.id, r.top_id, min(v.seq), max(v.seq)
    from unnest(${questions.map(({ roomId }) => roomId)}::int[], ${questions.map(({ seq }) => seq)}::int[]) v (room_id, seq)
      join rooms r on r.id = v.room_id
    group by r.id
    on conflict (room_id) do update set to_seq = excluded.to_seq`

/** Gives a job that is being worked on out again, because this message of it was taken back. The room is locked. */
export const restartJob = (tx: Db, { roomId, seq }: BotQuestion): Promise<void> =>
  run(
    tx,
    sql`update ai_work set lease = null, lease_until = null
      where room_id = ${roomId} and ${seq} <= to_seq and lease is not null`,
  )
