export type Loading = 'loading' | 'ready' | 'failed'

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
