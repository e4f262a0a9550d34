import { z } from 'zod'
import { calls } from '../../call.ts'
import { TemplateTypeCode } from '../../code-fields.ts'
import { TemplateType } from '../../codes.ts'
import { DataUrl, Id, nameOf, requiredName, requiredText } from '../../fields.ts'
import { MAX_NAME, MAX_TEXT } from '../../lengths.ts'

/** A quick reply. */
export const Template = z.object({
  id: z.int(),
  type: TemplateTypeCode,
  title: z.string(),
  content: z.string(),
  memo: z.string(),
  /** The owner's username, masked if the viewer sees usernames masked. */
  username: z.string(),
  /** Path of an image that only the group can load, or empty. It is sent as a message of its own. */
  image: z.string(),
  image_width: z.int().nullable(),
  image_height: z.int().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

const fields = {
  type: TemplateTypeCode.default(TemplateType.general),
  title: requiredName(MAX_NAME),
  /** The limit of a message. */
  content: requiredText(MAX_TEXT),
  memo: nameOf(MAX_NAME).default(''),
  /** A new image as a data URL; '' removes it; missing keeps the old one. */
  image: z.union([DataUrl, z.literal('')]).optional(),
}

export const templateCalls = calls({
  /** The quick replies that the caller may use, often and recently used ones first. */
  'message-template/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Template) }),
  },
  'message-template/create': {
    effect: 'write',
    size: 'image',
    request: z.object(fields),
    response: z.object({ id: z.int() }),
    refuses: ['message.not_an_image', 'message.image_too_large'],
  },
  'message-template/update': {
    effect: 'write',
    size: 'image',
    request: z.object({ ...fields, targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found', 'message.not_an_image', 'message.image_too_large'],
  },
  'message-template/delete': {
    effect: 'write',
    request: z.object({ targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found'],
  },
  /** Not in the source: records a use, which moves the reply up in the caller's own list. */
  'message-template/use': {
    effect: 'write',
    request: z.object({ targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found'],
  },
})
