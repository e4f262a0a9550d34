/** Opens the office at the page where the account's work begins. */
export type Enter = (startPage: string) => Promise<void>
