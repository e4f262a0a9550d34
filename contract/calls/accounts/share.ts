import { z } from 'zod'
import { calls } from '../../call.ts'
import { DataUrl } from '../../fields.ts'
import { MAX_SHARE_DOMAIN } from '../../lengths.ts'

export const shareCalls = calls({
  /** Not in the source: the picture behind the caller's QR code, or empty for none. Only with the QR code page. */
  'share/savePicture': {
    effect: 'write',
    size: 'image',
    request: z.object({ picture: z.union([DataUrl, z.literal('')]) }),
    response: z.null(),
    refuses: ['account.image_invalid', 'message.image_too_large'],
  },
  /**
   * Not in the source: the site that the caller's share link leads to; empty for this one. An agent's or admin's domain
   * also applies to its customer service. The link is `{domain}/Signup/{share_code}`, or `{domain}{share_code}` when
   * the domain contains `?a=`.
   */
  'share/saveDomain': {
    effect: 'write',
    request: z.object({ domain: z.string().trim().max(MAX_SHARE_DOMAIN) }),
    response: z.object({ domain: z.string() }),
    refuses: ['share.domain_invalid'],
  },
})
