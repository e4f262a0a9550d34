import { z } from 'zod'
import { calls } from '../../call.ts'
import { Flag, Id, requiredName } from '../../fields.ts'
import { MAX_VIEW_NAME } from '../../lengths.ts'

/** The lists with a filter bar. */
export const filteredLists = [
  'agent',
  'customer_service',
  'user',
  'history',
  'sr02',
  'audit',
  'template',
  'cash',
] as const
export type FilteredList = (typeof filteredLists)[number]

/**
 * Fields of filters that hold a person's name. A shared view with one of them is not sent to viewers who see usernames
 * masked: its text would tell them the name.
 */
export const nameKeys = ['username', 'nickname', 'actor', 'target', 'operator', 'member', 'remark'] as const

/** A view's filters, by the keys of the list's fields. The browser checks the values when it uses them. */
const Filters = z
  .record(z.string().regex(/^[a-z][a-z_]{0,19}$/), z.string().min(1).max(200))
  .refine((filters) => Object.keys(filters).length <= 20)

const ListView = z.object({
  id: z.int(),
  name: z.string(),
  filters: z.record(z.string(), z.string()),
  /** 1: of the whole group. */
  shared: Flag,
  /** Whether the caller may change it. */
  own: Flag,
})

/** Filters of a list, saved under a name. Each account has its own; the group's head also makes those of the group. */
export const listViewCalls = calls({
  'listView/list': {
    effect: 'read',
    request: z.object({ list: z.enum(filteredLists) }),
    /** The group's first, then the caller's, each by name. */
    response: z.object({ data: z.array(ListView) }),
  },
  'listView/save': {
    effect: 'write',
    request: z.object({
      /** Without it a new view. */
      id: Id.optional(),
      list: z.enum(filteredLists),
      name: requiredName(MAX_VIEW_NAME),
      filters: Filters,
      shared: Flag.default(0),
    }),
    response: z.object({ id: z.int() }),
    refuses: ['view.not_found', 'view.too_many'],
  },
  'listView/delete': {
    effect: 'write',
    request: z.object({ id: Id }),
    response: z.null(),
    refuses: ['view.not_found'],
  },
})
