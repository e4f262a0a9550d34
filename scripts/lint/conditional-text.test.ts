import { expect, test } from 'vitest'
import { faulty } from './linted.ts'

/** Bodies of a component, and whether a translated page would break at its text. */
const cases = [
  ["if (a) return t('x')\nreturn <b />", true],
  ["return a ? <b /> : t('x')", true],
  ["return <p>{a && t('x')} <b /></p>", true],
  ["return <p>{a && <b />} {t('x')}</p>", true],
  ['return <p>{a && <b />}{row.name}</p>', true],
  ['return <>{a && `${b}`}</>', true],
  ['return <button>{a ? <b /> : b && <i />} {children}</button>', true],
  ['return <button>{a && <b />} <span>{children}</span></button>', false],
  ['return <button>{children} {a && <b />}</button>', false],
  ['return <section>{a && <b />} {children}</section>', false],
  ["return <p>{a ? t('x') : t('y')} <b /></p>", false],
  ["return <p>{a ? t('x') : <b />}</p>", false],
  ["return <p>{t('x')} {a && <b />}</p>", false],
  ["return <p>{a && <b />} <span>{t('x')}</span></p>", false],
] as const

test('[TEXT-03] the linter finds a text that a translated page would break at, and no other', () => {
  const texts = cases.map(([body]) => `export const Part = ({ a, b, t, row, children }) => {\n${body}\n}\n`)
  const found = faulty('conditional-text', texts)
  expect(cases.map(([body], at) => [body, found[at]])).toEqual(cases.map((one) => [...one]))
})
