import type { Reader } from './call.ts'

/**
 * Parses an answer of many rows piece by piece while it arrives: parsed in one go at the end, 50,000 rows would freeze the
 * page. The server puts a line break between slices of the rows (server/src/lib/chunked-json.ts), and texts in JSON have
 * none. @throws when the answer ends early
 */
export const readRows: Reader = async (answer) => {
  const reader = answer.body?.getReader()
  if (!reader) return answer.json()
  const decoder = new TextDecoder()
  const rows: unknown[] = []
  let head: { data: { data: unknown[] } } | undefined
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (head) for (const row of JSON.parse(`[${line.replace(/,$/, '')}]`)) rows.push(row)
      else head = JSON.parse(`${line}${END}`)
    }
    if (done) break
  }
  // A short answer, or one of a server that does not put line breaks yet.
  if (!head) return JSON.parse(rest)
  if (rest !== END) throw new Error(`The answer ended after ${rows.length} rows`)
  head.data.data = rows
  return head
}

/** What closes the list, the data and the answer. */
const END = ']}}'
