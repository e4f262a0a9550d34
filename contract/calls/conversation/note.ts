import { z } from 'zod'
import { calls } from '../../call.ts'
import { Flag, Id, Mentions, Page, perPage, requiredName, requiredText, ShownMentions } from '../../fields.ts'
import { MAX_NOTE_TITLE, MAX_TEXT } from '../../lengths.ts'

const Title = requiredName(MAX_NOTE_TITLE)
const Content = requiredText(MAX_TEXT)

/** A note about the partner of a room. Names are masked for viewers who see usernames masked. */
export const Note = z.object({
  id: z.int(),
  note_id: z.int(),
  room_id: z.int(),
  member_id: z.int(),
  title: z.string(),
  /** 0 unfinished, 1 finished. */
  status: Flag,
  created_at: z.string(),
  create_user: z.string(),
  /** Empty until somebody has changed the note. */
  update_user: z.string(),
})

export const NoteContent = z.object({
  id: z.int(),
  content_id: z.int(),
  note_id: z.int(),
  content: z.string(),
  mentions: ShownMentions,
  created_at: z.string(),
  create_user: z.string(),
})

/** Internal to the group of a room: no call gives any of it to the partner. */
export const noteCalls = calls({
  /** Newest first, with the partner they are about. */
  'note/list': {
    effect: 'read',
    request: z.object({ room_id: Id, page: Page, per_page: perPage(1000) }),
    response: z.object({
      data: z.array(Note),
      total: z.int(),
      friend: z.object({ member_id: z.int(), username: z.string(), nickname: z.string() }),
    }),
    refuses: ['room.not_found'],
  },
  'note/add': {
    effect: 'write',
    /** A new note is always unfinished: `status` is accepted and ignored. `content` is its first entry. */
    request: z.object({
      room_id: Id,
      title: Title,
      status: Flag.default(0),
      content: Content.optional(),
      mentions: Mentions,
    }),
    response: z.object({ note_id: z.int() }),
    refuses: ['room.not_found', 'room.not_a_colleague'],
  },
  'note/edit': {
    effect: 'write',
    request: z.object({ note_id: Id, room_id: Id, title: Title, status: Flag }),
    response: z.null(),
    refuses: ['note.not_found'],
  },
  'note_content/list': {
    effect: 'read',
    request: z.object({ note_id: Id, page: Page, per_page: perPage(1000) }),
    response: z.object({ data: z.array(NoteContent), total: z.int(), note: Note }),
    refuses: ['note.not_found'],
  },
  'note_content/add': {
    effect: 'write',
    request: z.object({ note_id: Id, content: Content, mentions: Mentions }),
    response: z.object({ content_id: z.int() }),
    refuses: ['note.not_found', 'room.not_a_colleague'],
  },
  'note_content/edit': {
    effect: 'write',
    request: z.object({ content_id: Id, note_id: Id, content: Content, mentions: Mentions }),
    response: z.null(),
    refuses: ['note.content_not_found', 'room.not_a_colleague'],
  },
  'note_content/delete': {
    effect: 'write',
    request: z.object({ content_id: Id, note_id: Id }),
    response: z.null(),
    refuses: ['note.content_not_found'],
  },
})
