import { z } from 'zod'
import { calls } from '../call.ts'
import { DataUrl, Id, Written } from '../fields.ts'

/** Who sees it: 1 the whole group, 2 agents only, 3 customer service only, 9 its owner alone. */
const Type = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(9)])

/** A quick reply. */
export const Template = z.object({
  id: z.int(),
  type: Type,
  title: z.string(),
  content: z.string(),
  memo: z.string(),
  /** Whose it is, as the viewer may see the name. */
  username: z.string(),
  /** The address of an image for the group's own eyes, or empty. It is sent as a message of its own. */
  image: z.string(),
  image_width: z.int().nullable(),
  image_height: z.int().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

const fields = {
  type: Type.default(1),
  title: Written(50),
  /** As long as a message may be. */
  content: Written(5000),
  memo: z.string().max(50).default(''),
  /** A new one as a data URL, none as ''; without it the old one stays. */
  image: z.union([DataUrl, z.literal('')]).optional(),
}

export const templateCalls = calls({
  /** The quick replies that one sees, those that one uses often and lately first. */
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
    refuses: ['message.not_an_image'],
  },
  'message-template/update': {
    effect: 'write',
    size: 'image',
    request: z.object({ ...fields, targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found', 'message.not_an_image'],
  },
  'message-template/delete': {
    effect: 'write',
    request: z.object({ targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found'],
  },
  /** Ours: one has chosen it for a message. It only moves up in one's own list. */
  'message-template/use': {
    effect: 'write',
    request: z.object({ targetID: Id }),
    response: z.null(),
    refuses: ['template.not_found'],
  },
})
