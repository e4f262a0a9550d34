import { z } from 'zod'
import { calls } from '../call.ts'
import { DataUrl } from '../fields.ts'

/** `#rrggbb` and nothing else: it is handed to style sheets. Empty: the usual colour. */
const Colour = z
  .string()
  .regex(/^(#[0-9a-f]{6})?$/i)
  .transform((text) => text.toLowerCase())

/** How the rooms of a group look, and where the platform listens. */
const Setting = z.object({
  name: z.string(),
  /** An address on this server, or empty. */
  background_image: z.string(),
  background_color: z.string(),
  header_background_color: z.string(),
  header_font_color: z.string(),
  /** Empty for everyone but the top account. */
  api_url: z.string(),
  /** From an account above: the own group has none of its own yet. */
  inherited: z.boolean(),
  /** The viewer is the top account, which alone says where the platform listens and holds the keys of its API. */
  is_top: z.boolean(),
})

export const settingCalls = calls({
  /** Of the own group: its own, or those of the nearest account above that has some. */
  'setting/view': {
    effect: 'read',
    request: z.object({}),
    response: Setting,
    refuses: ['setting.not_set_up'],
  },
  /** What is not given stays as it was (or as it was inherited). */
  'setting/save': {
    effect: 'write',
    size: 'image',
    request: z.object({
      name: z.string().trim().max(50).optional(),
      /** A new image, or empty to take the old one away. The server fetches no address. */
      background_image: z.union([DataUrl, z.literal('')]).optional(),
      background_color: Colour.optional(),
      header_background_color: Colour.optional(),
      header_font_color: Colour.optional(),
      api_url: z.string().trim().max(300).optional(),
      /** For another api_url, when the sign-in is older than ten minutes. */
      current_password: z.string().max(128).optional(),
    }),
    response: z.null(),
    refuses: [
      'account.image_invalid',
      'setting.url_invalid',
      'setting.url_not_yours',
      'session.needs_password',
      'session.wrong_password',
    ],
  },
})
