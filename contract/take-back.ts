/** How long a sender may take a message back, by the database's clock. No Zod here: cheap phones load this file. */
export const TAKE_BACK_MINUTES = 10
