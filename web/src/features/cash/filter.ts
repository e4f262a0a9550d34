import type { Input } from '@tallyroom/contract'

/** Which requests the queue shows. */
export type RequestFilter = Omit<Input<'cash/list'>, 'id' | 'after' | 'per_page'>
