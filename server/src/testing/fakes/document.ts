import type { ErrorName } from '@tallyroom/contract'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { PROBLEM_TYPE } from '../../member-api/dated/problem.ts'
import type { Reply } from '../app.ts'

type Content = { content?: Record<string, { schema: object }> }
type Problem = { properties: { code: { const: number }; refusal: { const: ErrorName } } }
type CallsOfDocument = Record<string, { post: { requestBody: Content; responses: Record<string, Content> } }>
/** The OpenAPI document of one form, as something that checks what is sent and answered. */
export type FormDocument = {
  calls: CallsOfDocument
  /** The errors of a request by the document. */
  requestFaults(name: string, body: unknown): unknown
  /** The errors of an answer by the document: of its status, its type of problem and its fields. */
  answerFaults(name: string, answer: { status: number; reply: Reply }): unknown
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
formats.default(ajv)
/** Each schema takes some time to compile. */
const compiled = new Map<object, ValidateFunction>()
const faultsBy = (schema: object | undefined, value: unknown): unknown => {
  if (!schema) return 'the document has no schema for it'
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(value) ? [] : validate.errors
}
const schemaIn = ({ content }: Content = {}) => Object.values(content ?? {})[0]?.schema

/** The kinds of problems of an answer in the form of a date. */
export const problemsIn = ({ content = {} }: Content): Problem[] => {
  const schema = content[PROBLEM_TYPE]?.schema as Problem | { anyOf: Problem[] } | undefined
  if (!schema) return []
  return 'anyOf' in schema ? schema.anyOf : [schema]
}

/** @param date the date of a form; without it the form without a date */
export const documentOf = async (address: string, date?: string): Promise<FormDocument> => {
  const query = date ? `?version=${date}` : ''
  const fetched = await fetch(`${address}/member-api/v1/openapi.json${query}`)
  const { paths: calls } = resolveRefs((await fetched.json()) as { paths: CallsOfDocument })
  /** A kind of problem has the same schema in every call: compiled once, not for each. */
  const kinds = new Map<ErrorName, object>()
  return {
    calls,
    requestFaults: (name, body) => faultsBy(schemaIn(calls[`/${name}`]?.post.requestBody), body),
    answerFaults: (name, { status, reply }) => {
      const documented = calls[`/${name}`]?.post.responses[status]
      if (!date || status < 400) return faultsBy(schemaIn(documented), reply)
      const kind = problemsIn(documented ?? {}).find(({ properties }) => properties.refusal.const === reply.refusal)
      if (!kind) return faultsBy(undefined, reply)
      const { refusal } = kind.properties
      kinds.set(refusal.const, kinds.get(refusal.const) ?? kind)
      return faultsBy(kinds.get(refusal.const), reply)
    },
  }
}
