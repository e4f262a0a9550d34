import { z } from 'zod'
import { requiredName } from '../fields.ts'
import { MAX_ACCOUNT_NUMBER, MAX_NAME } from '../lengths.ts'
import { typedKey } from '../text/typed-key.ts'
import { AccountName, oneName } from './account-name.ts'
import { Write } from './write.ts'

const BankAccounts = z.object({
  data: z
    .array(
      z.object({
        id: z.int().describe('Our number of the bank account.'),
        bank: z.string().describe('The name of the bank.'),
        account_name: z.string().describe('Whose account it is.'),
        account_no: z
          .string()
          .describe(
            'Its number. `bank/list` has it whole for a key with `cash:fulfil`, and the log names each time; else the last digits.',
          ),
        changed_until: z
          .string()
          .nullable()
          .describe(
            'Until then its bank or number counts as just changed, and `cash/view` warns of it. Null: it does not.',
          ),
      }),
    )
    .describe('The first one is used for requests for points.'),
  banks: z.array(z.string()).describe('The banks that your platform offers.'),
})

/** Calls about the bank accounts of members. */
export const bankCalls = {
  'bank/list': {
    part: 'Requests for points',
    right: 'cash:read',
    summary: 'List bank accounts',
    description: 'Returns the bank accounts of a member. On a platform whose members have none, no member is found.',
    effect: 'read',
    request: z.object(AccountName).meta(oneName),
    response: BankAccounts,
    refuses: ['account.not_found'],
  },
  'bank/set': {
    part: 'Requests for points',
    right: 'bank:write',
    summary: 'Set bank accounts',
    description:
      'Changes the bank accounts with an `id` and adds the others; those that you leave out stay. For a day after a change of bank or ' +
      'number `cash/view` warns of it, as in the office.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      accounts: z
        .array(
          z.strictObject({
            id: z
              .int()
              .min(1)
              .max(2_147_483_647)
              .optional()
              .describe('One that the member has. Without it, a new one.'),
            bank: requiredName(MAX_NAME).describe('The name of a bank that your platform offers.'),
            account_name: requiredName(MAX_NAME)
              .optional()
              .describe(
                'Whose account it is. A new first one needs it; later ones have the same, unless your settings allow others.',
              ),
            account_no: z
              .string()
              .overwrite(typedKey)
              .min(1)
              .max(2 * MAX_ACCOUNT_NUMBER + 2)
              .optional()
              .describe('Its number. A new one needs it. With a branch code: the code, two underscores, the number.'),
          }),
        )
        .min(1)
        .max(20)
        .describe('The bank accounts to change or add.'),
    }).meta(oneName),
    response: BankAccounts,
    refuses: [
      'account.not_found',
      'bank.not_found',
      'bank.unknown',
      'bank.incomplete',
      'bank.number_invalid',
      'bank.too_many',
    ],
  },
} as const
