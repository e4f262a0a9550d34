import { z } from 'zod'
import { isBlank } from './text/blank.ts'
import { typedCode, typedKey } from './text/typed-key.ts'
import { visibleName, visibleText } from './text/names.ts'
import { parsePoints } from './points.ts'
import { MAX_MENTIONS } from './text/mentions.ts'
import {
  MAX_BANK_REFERENCE,
  MAX_NEW_PASSWORD,
  MAX_NICKNAME,
  MAX_REMARK,
  MAX_TYPED_NAME,
  MAX_USERNAME,
  MIN_PASSWORD,
  MIN_USERNAME,
} from './lengths.ts'

/** The largest id: columns are 32-bit. */
const MAX_ID = 2_147_483_647
export const Id = z.union([
  z.int().positive().max(MAX_ID),
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number)
    .refine((id) => id <= MAX_ID),
])
/** Fits a 32-bit column: a larger number would fail in the database. */
export const Int4 = z
  .int()
  .min(-MAX_ID - 1)
  .max(MAX_ID)
export const Count = Int4.min(0)
/** Fits a 64-bit column; whole numbers of JSON are exact only up to MAX_SAFE_INTEGER. */
export const Version = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** A transaction id (xid8) as text: 64 bits without a sign. */
export const Cursor = z
  .string()
  // Without `abort` the next check also gets texts that are no number, and BigInt throws.
  .regex(/^\d{1,20}$/, { abort: true })
  .refine((text) => BigInt(text) < 2n ** 64n)
/** The place of a message or an aside in its room. */
export const Seq = z.int().min(0).max(2_000_000_000)
/** A time of day, such as 09:30. */
export const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** A decimal string with up to four decimals; inside the program a bigint of 1/10000. */
export const Amount = z
  .string()
  .regex(/^-?\d{1,12}(\.\d{1,4})?$/)
  .refine((text) => parsePoints(text) !== undefined)
  .transform((text) => parsePoints(text) ?? 0n)
/** An amount to search for: transfers have no sign. */
export const FoundAmount = Amount.refine((amount) => amount >= 0n)
export const PointsText = z.string().regex(/^-?\d+(\.\d{1,4})?$/)
/** The version of the caller's draft. */
export const DraftVersion = z.int().min(1).max(1_000_000_000).optional()
/**
 * The newest `seq` that the sender of an answer had on the screen. What the other side wrote after it stays unanswered;
 * without it everything is answered.
 */
export const SeenSeq = z.int().min(0).max(2_147_483_647).optional()
export const Flag = z.union([z.literal(0), z.literal(1)], 'Invalid input: expected 0 or 1')
/** Set when the export names members in full and waits for approval: `csv` is empty then (`change/list`). */
export const WaitsForApproval = Flag.optional()
/** A username that somebody types to name an account; it may be anything. */
export const TypedUsername = z.string().overwrite(typedKey).max(MAX_TYPED_NAME)
/** A code by SMS, of an authenticator or from a list, of at most `most` characters. */
export const typedCodeOf = (most: number) => z.string().overwrite(typedCode).max(most)
export const Username = z
  .string()
  .overwrite(typedKey)
  .min(MIN_USERNAME)
  .max(MAX_USERNAME)
  .regex(/^[A-Za-z0-9_.-]+$/)
export const NewPassword = z
  .string()
  .min(MIN_PASSWORD)
  .max(MAX_NEW_PASSWORD)
  .regex(/^[A-Za-z0-9]+$/)
/** A name of at most `most` characters, which may be empty: then something else is shown in its place. */
export const nameOf = (most: number) => z.string().overwrite(visibleName).max(most)
/** A name that can be seen. */
export const requiredName = (most: number) => nameOf(most).min(1)
export const Nickname = nameOf(MAX_NICKNAME)
/** A remark or a reason of at most `most` characters, which may be empty. */
export const remarkOf = (most: number) => z.string().overwrite(visibleText).max(most)
export const Remark = remarkOf(MAX_REMARK)
/** What a bank calls a payment, as its page or slip says it. */
export const BankReference = remarkOf(MAX_BANK_REFERENCE)
export const requiredReason = (most: number) => remarkOf(most).min(1)
/** The longest name in a text: a nickname and a username. */
const MAX_MENTION = 80
/** BELL-01: the colleagues whom a text mentions. `name` follows "@" in it. */
export const Mentions = z
  .array(z.object({ id: Id, name: z.string().min(1).max(MAX_MENTION) }))
  .max(MAX_MENTIONS)
  .default([])
/** The same in an answer, with the names of now. */
export const ShownMentions = z.array(z.object({ id: z.int(), name: z.string(), username: z.string() })).optional()
/** Text of which something can be seen, kept as typed, at most `most` characters. */
export const requiredText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !isBlank(text))
/** A day that exists. The database has no year 0000 and no 31 February. */
const isDay = (text: string) => {
  const day = new Date(`${text}T00:00:00Z`)
  return text >= '0001' && !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text)
}
/** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
export const Moment = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/)
  .refine((text) => isDay(text.slice(0, 10)))
/** YYYY-MM-DD in the platform's time zone. */
export const Day = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
  .refine(isDay)
/** A UTC time to the microsecond, as in `next` of a search. */
export const Instant = z.iso.datetime({ precision: 6 }).refine((text) => isDay(text.slice(0, 10)))
export const Page = z.int().min(1).max(1_000_000).default(1)
export const perPage = (most: number) => z.int().min(1).max(most).default(most)
/** An image as a data URL. The server detects the format from its content. */
export const DataUrl = z.string().regex(/^data:[a-z0-9.+/-]*;base64,[A-Za-z0-9+/]*={0,2}$/i)
/** International or national; spaces, dashes and parentheses are removed. */
export const Mobile = z
  .string()
  .transform((text) => typedKey(text).replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{6,15}$/))
