import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { DataUrl, Flag, nameOf } from '../../fields.ts'
import { MAX_API_URL, MAX_NAME, MAX_PASSWORD } from '../../lengths.ts'

/** `#rrggbb` only, because it goes into style sheets. Empty: the default colour. */
const Colour = z
  .string()
  .regex(/^(#[0-9a-f]{6})?$/i)
  .transform((text) => text.toLowerCase())

/** At most a day. */
const Minutes = z.int().min(1).max(1440)

/** The look of a group's rooms, and the platform's webhook address. */
const Setting = z.object({
  name: z.string(),
  /** A path on this server, or empty. */
  background_image: z.string(),
  background_color: z.string(),
  header_background_color: z.string(),
  header_font_color: z.string(),
  /** After how many minutes a waiting member is shown as late, and as overdue. */
  late_after: z.int(),
  overdue_after: z.int(),
  /** Members may ask for points in and out. */
  cash_requests: Flag,
  /** Members who pay the same at the same time pay other cents each, so that each payment is found. */
  odd_cents: Flag,
  /** Who answers, gives points or starts a request owns a conversation that nobody has. */
  owned_by_answer: Flag,
  /** Empty for everyone but the top account. */
  api_url: z.string(),
  /** The settings come from an account above: the group has none of its own. */
  inherited: z.boolean(),
  /** The viewer is the top account, the only one that sets the webhook address and holds API keys. */
  is_top: z.boolean(),
})

export const settingCalls = calls({
  /** The group's own settings, or those of the nearest account above that has some. */
  'setting/view': {
    effect: 'read',
    request: z.object({}),
    response: Setting,
    refuses: ['setting.not_set_up'],
  },
  /** Fields that are missing keep their stored or inherited values. */
  'setting/save': {
    effect: 'write',
    size: 'image',
    request: z.object({
      name: nameOf(MAX_NAME).optional(),
      /** A new image, or empty to remove the old one. The server does not fetch addresses. */
      background_image: z.union([DataUrl, z.literal('')]).optional(),
      background_color: Colour.optional(),
      header_background_color: Colour.optional(),
      header_font_color: Colour.optional(),
      late_after: Minutes.optional(),
      overdue_after: Minutes.optional(),
      cash_requests: Flag.optional(),
      odd_cents: Flag.optional(),
      owned_by_answer: Flag.optional(),
      api_url: z.string().trim().max(MAX_API_URL).optional(),
      /** Needed for another api_url when the sign-in is older than ten minutes. */
      current_password: z.string().max(MAX_PASSWORD).optional(),
    }),
    /** `approval`: the new api_url waits for approval; the rest is saved. */
    response: z.object({ approval: Flag }).nullable(),
    refuses: [
      ...askRefusals,
      'account.image_invalid',
      'message.image_too_large',
      'setting.url_invalid',
      'setting.wait_order',
      'setting.url_not_yours',
      'session.needs_password',
      'session.wrong_password',
    ],
  },
})
