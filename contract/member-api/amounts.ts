import { z } from 'zod'
import { Amount } from '../fields.ts'

/** Their patterns are in the document: a refinement would be enforced, but not be there. */
const decimal = 'a decimal number as text, with up to 12 digits before the point and up to 4 after it'
export const AmountAboveZero = z
  .string(`Expected ${decimal}`)
  .regex(/^(?!0+(\.0+)?$)\d{1,12}(\.\d{1,4})?$/, `Expected ${decimal}, above zero`)
  .pipe(Amount)
export const AmountFromZero = z
  .string(`Expected ${decimal}`)
  .regex(/^\d{1,12}(\.\d{1,4})?$/, `Expected ${decimal}`)
  .pipe(Amount)
