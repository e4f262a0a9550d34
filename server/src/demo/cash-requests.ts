import type { demoClient } from './client.ts'
import { slipPicture } from './files.ts'

type Client = Awaited<ReturnType<typeof demoClient>>
type Member = { id: number; client: Client }

const banks = ['Maybank', 'HSBC', 'KBZ'] as const
/** Each request: its member, amount and bank. Points out come from members that have met their turnover. */
const asks = [
  { username: 'benito', direction: 'out', amount: '60', bank: 0, account_no: '562291104471', name: 'Benito' },
  { username: 'divya', direction: 'in', amount: '200', bank: 1, account_no: '800412389027', name: 'Divya' },
  { username: 'htetaung', direction: 'out', amount: '50', bank: 2, account_no: '999307123316', name: 'Htet Aung' },
  { username: 'yukitan', direction: 'in', amount: '75', bank: 0, account_no: '562277310845', name: 'Yuki Tan' },
  { username: 'kimanh', direction: 'out', amount: '120.5', bank: 1, account_no: '800498721180', name: 'Kim Anh' },
  { username: 'lokesh', direction: 'out', amount: '40', bank: 0, account_no: '562203319940', name: 'Lokesh' },
] as const

/** The member that sends the picture of a slip with its request for points in. */
const WITH_SLIP = 'divya'

const receiving = [
  { bank: 'Maybank', account_name: 'Dana Table', account_no: '514088112233', day_limit: '5000' },
  { bank: 'HSBC', account_name: 'Dana Table', account_no: '400923771188', times: { from: '08:00', until: '23:00' } },
]

/** Where the members of a group pay. */
export const addReceivingAccounts = async (head: Client): Promise<void> => {
  for (const [position, account] of receiving.entries()) await head.call('receiving/save', { ...account, position })
}

/** Members may ask for points, and six have done so. */
export const makeCashRequests = async (top: Client, members: Map<string, Member>): Promise<void> => {
  await top.call('setting/save', { cash_requests: 1 })
  await top.call('bank_setting/save', {
    is_third: 1,
    has_bank_card_setting: 0,
    bank_card_amount: 1,
    enable_bsb_code: 0,
    bsb_code_alias: '',
    account_name_modify: 0,
    cj7: 0,
  })
  const bankIds: number[] = []
  for (const name of banks) bankIds.push((await top.call('orderType/save', { name })).id)
  for (const { username, direction, amount, bank, account_no, name } of asks) {
    const member = members.get(username)
    const bank_id = bankIds[bank]
    if (!member || bank_id === undefined) throw new Error(`the demo has no member ${username} or no bank ${bank}`)
    const account = { member_id: member.id, bank_id, account_name: name, account_no }
    await top.call('members/bank-account/create', account)
    const [own] = (await member.client.call('cash/view', {})).accounts
    if (direction === 'in') await member.client.call('cash/payTo', { amount })
    const slip =
      username === WITH_SLIP &&
      (await slipPicture([
        ['From', name],
        ['From bank', banks[bank]],
        ['From account', account_no],
        ['To', 'Dana Table'],
        ['Amount', `${amount}.00`],
        ['Reference', '7719 0042 2026'],
      ]))
    await member.client.call('cash/ask', {
      direction,
      amount,
      ...(own ? { account_id: own.id } : {}),
      ...(slip ? { slip } : {}),
    })
  }
}
