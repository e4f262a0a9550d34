/** Whether a form's draft has another value than what is saved, in any field of its own. An empty number field is NaN. */
export const differs = <T extends object>(draft: T, saved: T): boolean =>
  (Object.keys(draft) as (keyof T)[]).some((field) => !Object.is(draft[field], saved[field]))
