import { z } from 'zod'
import { calls } from '../../call.ts'
import { allCashReasons } from '../../cash.ts'
import { bellKinds } from '../../desk/bell.ts'
import { Flag, Id, PointsText, perPage } from '../../fields.ts'
import { approvalStates, sensitiveChangeKinds } from '../../limits.ts'

/** The most items that one call marks as read; `up_to` marks any number. */
const MAX_READ = 100

/** What a person has to know, newest first. It is shown with the names and texts of now, and only while its reader may see them. */
const BellItem = z.object({
  id: z.int(),
  kind: z.enum(bellKinds),
  created_at: z.string(),
  read: Flag,
  /** Who did it; empty for the server. */
  name: z.string(),
  username: z.string(),
  /** How many conversations were handed over at once; then `room` is null. */
  rooms: z.int(),
  room: z.object({ room_id: z.int(), member_id: z.int(), code: z.string(), name: z.string() }).nullable(),
  /** The message after which the internal note is shown. */
  at: z.int().nullable(),
  /** In the notebook. */
  note: z.object({ note_id: z.int(), member_id: z.int(), title: z.string() }).nullable(),
  /** The beginning of what was written; of a decision and a request why it was refused. */
  text: z.string(),
  approval_id: z.int().nullable(),
  change_id: z.int().nullable(),
  cash_id: z.int().nullable(),
  /** How a transfer or a change was decided. */
  state: z.enum(approvalStates).nullable(),
  change: z.enum(sensitiveChangeKinds).nullable(),
  amount: PointsText.nullable(),
  reason_code: z.enum(allCashReasons).nullable(),
})

/** BELL-02. Each colleague has its own. */
export const bellCalls = calls({
  /** `after`: the last id of the page before. */
  'bell/list': {
    effect: 'read',
    request: z.object({ after: Id.optional(), per_page: perPage(50) }),
    response: z.object({ data: z.array(BellItem), next: z.int().nullable() }),
  },
  'bell/open': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** 100: at least that many. */
      unread: z.int(),
      /** The kinds that are pushed to browsers with notifications. */
      pushes: z.array(z.enum(bellKinds)),
    }),
  },
  /** Marks items as read on all devices: those of `ids`, or all up to one. */
  'bell/read': {
    effect: 'write',
    request: z.object({ ids: z.array(Id).max(MAX_READ).default([]), up_to: Id.optional() }),
    response: z.null(),
  },
  'bell/choose': {
    effect: 'write',
    request: z.object({ pushes: z.array(z.enum(bellKinds)).max(bellKinds.length) }),
    response: z.null(),
  },
})
