import { readFilters } from '../../ui/filter-bar/use-filters.ts'

/** What a list of accounts can be filtered by, as its address has it. */
export const accountKeys = ['username', 'nickname', 'seen', 'status', 'balance'] as const
export type AccountSearch = { [K in (typeof accountKeys)[number]]?: string }

export const readAccountSearch = (search: Record<string, unknown>): AccountSearch => readFilters(search, accountKeys)
