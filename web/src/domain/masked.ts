/** ACC-06: whether the server masked this username. Real usernames contain no asterisk. */
export const isMasked = (username: string) => username.includes('***')
