import type pg from 'pg'

/** A column of an answer. `type` is TypeScript. An expression counts as not null: PostgreSQL cannot say. */
export type Column = { name: string; type: string; isNullable: boolean }

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number }

/** Parses a statement and asks for its columns, without running it. */
class Describe {
  fields: Field[] = []
  readonly #text: string
  readonly #done: (error: Error | undefined, fields: Field[]) => void
  constructor(text: string, done: (error: Error | undefined, fields: Field[]) => void) {
    this.#text = text
    this.#done = done
  }
  submit(connection: pg.Connection) {
    connection.parse({ text: this.#text, name: '', types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }
  handleRowDescription({ fields }: { fields: Field[] }) {
    this.fields = fields
  }
  handleError(error: Error) {
    this.#done(error, [])
  }
  handleReadyForQuery() {
    this.#done(undefined, this.fields)
  }
}

type Plan = { Output?: string[]; 'Join Type'?: string; 'Parent Relationship'?: string; Plans?: Plan[] }

/** The outputs that an outer join may leave empty, as PostgreSQL's plan names them. */
const emptied = (plan: Plan): string[] => {
  const inner = (plan.Plans ?? []).flatMap(emptied)
  const join = plan['Join Type']
  const sides = { Left: ['Inner'], Right: ['Outer'], Full: ['Inner', 'Outer'] }[join ?? ''] ?? []
  const lost = (plan.Plans ?? []).filter((one) => sides.includes(one['Parent Relationship'] ?? ''))
  return [...inner, ...lost.flatMap(({ Output = [] }) => Output)]
}

const types: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  json: 'unknown',
  jsonb: 'unknown',
  timestamp: 'Date',
  timestamptz: 'Date',
  oid: 'number',
  void: 'unknown',
  record: 'unknown',
}

/** The TypeScript type in which the driver gives a value of a PostgreSQL type. */
export const typeOf = (name: string): string =>
  name.startsWith('_') ? `${typeOf(name.slice(1))}[]` : (types[name] ?? 'string')

/** Describes statements by a migrated database. */
export const describer = async (client: pg.Client) => {
  const { rows: names } = await client.query<{ oid: number; name: string }>('select oid, typname as name from pg_type')
  const typeNames = new Map(names.map(({ oid, name }) => [oid, name]))
  const { rows: columns } = await client.query<{ table: number; column: number; name: string; isRequired: boolean }>(
    `select attrelid as table, attnum as column, attname as name, attnotnull as "isRequired" from pg_attribute where attnum > 0`,
  )
  const columnOf = new Map(columns.map((column) => [`${column.table} ${column.column}`, column]))
  const fieldsOf = (text: string) =>
    new Promise<Field[]>((resolve, reject) => {
      client.query(new Describe(text, (error, fields) => (error ? reject(error) : resolve(fields))) as pg.Submittable)
    })
  const planOf = async (text: string): Promise<Plan> => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (generic_plan, verbose, format json) ${text}`,
    )
    return rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}
  }
  /** @throws the error of PostgreSQL, such as a column that does not exist. */
  return async (text: string): Promise<Column[]> => {
    const fields = await fieldsOf(text)
    if (fields.length === 0) return []
    const plan = /\bjoin\b/i.test(text) ? await planOf(text) : {}
    const lost = new Set(emptied(plan))
    return fields.map(({ name, tableID, columnID, dataTypeID }, at) => {
      const column = columnOf.get(`${tableID} ${columnID}`)
      const isEmptied = lost.has(plan.Output?.[at] ?? '')
      // A query that says "is not null" of a column gives none that is.
      const isFilled = column !== undefined && new RegExp(`\\b${column.name} is not null`, 'i').test(text)
      return {
        name,
        type: typeOf(typeNames.get(dataTypeID) ?? ''),
        isNullable: column !== undefined && !isFilled && (!column.isRequired || isEmptied),
      }
    })
  }
}
