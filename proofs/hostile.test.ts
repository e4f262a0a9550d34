import { expect, test } from 'vitest'
import { attackFields } from '../server/src/testing/hostile-run.ts'

// S5 in full; the regular test covers a part. `npx vitest run --config proofs/vitest.config.ts hostile`
test('[S5] every hostile value in every field of every call: no server error', {
  timeout: 1_200_000,
}, async () => {
  const { cases, fields, wrong, logged } = await attackFields('all')
  process.stdout.write(
    `${cases} cases in ${fields} fields, ${wrong.length} errors, ${logged.length} lines in the log\n`,
  )
  expect(wrong).toEqual([])
  expect(logged).toEqual([])
  expect(cases).toBeGreaterThan(10_000)
})
