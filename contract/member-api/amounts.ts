import { z } from 'zod'
import { Amount } from '../fields.ts'

/** Their patterns are in the document: a refinement would be enforced, but not be there. */
export const AmountAboveZero = z
  .string()
  .regex(/^(?!0+(\.0+)?$)\d{1,12}(\.\d{1,4})?$/)
  .pipe(Amount)
export const AmountFromZero = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,4})?$/)
  .pipe(Amount)
