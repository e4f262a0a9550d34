/** What a list of accounts can be filtered by, as its address has it. */
export const accountKeys = ['username', 'nickname', 'seen', 'status', 'balance'] as const
