import { z } from 'zod'
import { calls } from '../call.ts'
import { DataUrl } from '../fields.ts'

export const shareCalls = calls({
  /** Ours: the picture behind the own QR code, or (empty) none. Only where the account has the QR code page. */
  'share/savePicture': {
    effect: 'write',
    size: 'image',
    request: z.object({ picture: z.union([DataUrl, z.literal('')]) }),
    response: z.null(),
    refuses: ['account.image_invalid'],
  },
  /**
   * Ours: where the own share link leads; empty for this site. Of agents and admins, for their customer service too. The
   * link is `{domain}/Signup/{share_code}`, or `{domain}{share_code}` when the domain contains `?a=`.
   */
  'share/saveDomain': {
    effect: 'write',
    request: z.object({ domain: z.string().trim().max(200) }),
    response: z.object({ domain: z.string() }),
    refuses: ['share.domain_invalid'],
  },
})
