/** ACC-06: whether a username came masked. No real one has a star in it. */
export const isMasked = (username: string) => username.includes('***')
