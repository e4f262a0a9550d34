import { z } from 'zod'
import { calls } from '../../call.ts'
import { Flag, Id, nameOf, requiredName, TypedUsername } from '../../fields.ts'
import { typedKey } from '../../text/typed-key.ts'
import { AuditRow } from '../office/audit.ts'
import { MAX_ACCOUNT_NUMBER, MAX_CODE_NAME, MAX_NAME, MAX_PASSWORD } from '../../lengths.ts'

/** The owner of the bank accounts: by username, or by id where the username is masked. */
const owner = { username: TypedUsername.min(1).optional(), member_id: Id.optional() }

export const Bank = z.object({
  id: z.int(),
  name: z.string(),
  /** 0: no longer offered; accounts that use it are kept. */
  status: Flag,
})

export const BankAccount = z.object({
  id: z.int(),
  bank_id: z.int(),
  /** Missing when the viewer may not see it (CJ7). */
  account_name: z.string().optional(),
  /** Masked; with a BSB code: the code, two underscores, the masked number. */
  account_no: z.string(),
  is_first: Flag,
  /** Its name may be changed although it is not the first account. */
  account_name_modify: Flag,
  /** Set for a day after its bank or number has changed: check with the member before paying out. */
  held_until: z.string().nullable(),
})

/** What the dialog needs besides the accounts themselves. */
const dialog = {
  enable_bsb_code: Flag,
  bsb_code_alias: z.string(),
  /** The viewer may change the accounts. */
  editable: Flag,
}

const newAccount = {
  bank_id: Id,
  /** Fields that are missing stay as they are; fields that the caller may not change are ignored. */
  account_name: requiredName(MAX_NAME).optional(),
  account_no: z
    .string()
    .overwrite(typedKey)
    .min(1)
    .max(2 * MAX_ACCOUNT_NUMBER + 2)
    .optional(),
}

/** Needed for another number or bank when the sign-in is older than ten minutes. */
const proof = { current_password: z.string().max(MAX_PASSWORD).optional() }

const saveRefusals = [
  'account.not_found',
  'bank.not_found',
  'bank.unknown',
  'bank.incomplete',
  'bank.number_invalid',
  'bank.too_many',
  'session.needs_password',
  'session.wrong_password',
] as const

const settings = {
  is_third: Flag,
  has_bank_card_setting: Flag,
  bank_card_amount: z.int().min(1).max(20),
  enable_bsb_code: Flag,
  /** The name of the code on screens; empty: BSB. */
  bsb_code_alias: nameOf(MAX_CODE_NAME),
  account_name_modify: Flag,
  cj7: Flag,
}

export const bankCalls = calls({
  /** The banks of the caller's top account, by name. */
  'orderType/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(Bank) }) },
  /** Not in the source: adds or renames a bank, or stops offering it. */
  'orderType/save': {
    effect: 'write',
    request: z.object({ id: Id.optional(), name: requiredName(MAX_NAME), status: Flag.default(1) }),
    response: z.object({ id: z.int() }),
    refuses: ['bank.unknown', 'bank.name_taken'],
  },
  /** Whether a member may have several bank accounts, and how many. */
  'members/hasBankCardSetting': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ has_bank_card_setting: Flag, bank_card_amount: z.int() }),
  },
  'members/bank-card': {
    effect: 'read',
    request: z.object(owner),
    response: z.object({ data: z.array(BankAccount), ...dialog }),
    refuses: ['account.not_found'],
  },
  /** How the member's accounts have changed, newest first. Numbers are masked. */
  'members/bank-card/history': {
    effect: 'read',
    request: z.object({ member_id: Id }),
    response: z.object({
      data: z.array(AuditRow.pick({ id: true, at: true, kind: true, actor_username: true, facts: true })),
    }),
    refuses: ['account.not_found'],
  },
  /** Changes the accounts with an id and adds the others; accounts that are not named stay. */
  'members/bank-card/create': {
    effect: 'write',
    request: z.object({
      ...owner,
      accounts: z
        .array(z.object({ id: Id.optional(), ...newAccount }))
        .min(1)
        .max(20),
      ...proof,
    }),
    response: z.null(),
    refuses: saveRefusals,
  },
  /** Deletes the account with this id; without an id, all of them. */
  'members/bank-card/delete': {
    effect: 'write',
    request: z.object({ ...owner, id: Id.optional(), ...proof }),
    response: z.null(),
    refuses: ['account.not_found', 'bank.not_found', 'session.needs_password', 'session.wrong_password'],
  },
  /** The member's first account. */
  'members/bank-account': {
    effect: 'read',
    request: z.object(owner),
    response: z.object({ data: BankAccount.nullable(), ...dialog }),
    refuses: ['account.not_found'],
  },
  'members/bank-account/create': {
    effect: 'write',
    request: z.object({ ...owner, exist_data_id: Id.optional(), ...newAccount, ...proof }),
    response: z.null(),
    refuses: saveRefusals,
  },
  /** The member enters its first bank account. Later ones, and every change, are the office's. */
  'bank/addOwn': {
    effect: 'write',
    request: z.object({
      bank_id: Id,
      account_name: requiredName(MAX_NAME),
      account_no: z
        .string()
        .overwrite(typedKey)
        .min(1)
        .max(2 * MAX_ACCOUNT_NUMBER + 2),
    }),
    response: z.null(),
    refuses: ['account.not_found', 'bank.unknown', 'bank.number_invalid', 'bank.too_many'],
  },
  /** Not in the source: the unmasked number, for paying out. Audited. */
  'members/bank-account/show': {
    effect: 'read',
    request: z.object({ ...owner, id: Id }),
    response: z.object({ account_no: z.string() }),
    refuses: ['account.not_found', 'bank.not_found'],
  },
  /** Not in the source: the top account's settings for the bank accounts of its members. */
  'bank_setting/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ ...settings, changeable: z.boolean() }),
  },
  'bank_setting/save': { effect: 'write', request: z.object(settings), response: z.null() },
})
