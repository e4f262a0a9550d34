/**
 * The numbers of the advisory locks, which all copies share, also those of the version before: a number that is used for
 * two things makes them wait for each other. SQL has 7460119238 (0053) and 7460119240, for making parts of `requests` (0049).
 */
export const locks = {
  /** Its holder changes the schema. */
  migrations: 7_460_119_235,
  /** Its holder adds links to the audit log's chain, or makes the first account. */
  auditChain: 7_460_119_236,
  /** Codes by SMS are booked one at a time, so concurrent ones cannot exceed a budget. */
  smsCodes: 7_460_119_237,
  /** Its holder seals the ledger. */
  seal: 7_460_119_238,
  /** Its holder adds marks to the postings. */
  postingMarks: 7_460_119_239,
  /** Seeds the hash of an idempotency key, so that the lock is not one of the others. */
  idempotencyKey: 7_460_119_241,
  /** Its holder sums days for the reports. */
  reportSums: 7_460_119_242,
  /** Its holder numbers events. */
  eventNumbers: 7_460_119_243,
  /** Its holder counts waits for the report of work. */
  deskWaits: 7_460_119_244,
} as const
