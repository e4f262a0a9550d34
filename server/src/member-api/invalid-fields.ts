import { type FieldFault, pathText } from '../http/field-faults.ts'
import { Refused } from '../lib/refusal.ts'

/** The refusal of a body: all its invalid fields, each with a JSON pointer and the reason. */
export const invalidFields = (faults: readonly [FieldFault, ...FieldFault[]]): Refused =>
  new Refused('request.invalid', {
    field: pathText(faults[0]),
    errors: faults.map(({ path, reason }) => ({ pointer: path.map(asPart).join(''), reason })),
  })

const asPart = (key: PropertyKey) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
