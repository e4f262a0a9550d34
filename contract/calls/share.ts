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
})
