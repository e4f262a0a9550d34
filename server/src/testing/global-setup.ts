import type { TestProject } from 'vitest/node'
import { startTemplate, type Template } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Template
  }
}

/** One PostgreSQL for the whole run, with one migrated database that the test files copy. */
export default async ({ provide }: TestProject) => {
  const { stop, ...postgres } = await startTemplate()
  provide('postgres', postgres)
  return stop
}
