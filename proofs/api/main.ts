import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// API-02, API-03, API-08, API-09, API-12. `npx tsx proofs/api/main.ts [--keep FILE]`: all programs of proofs/api at their full
// size, one after the other. Each prints its figures with their bounds, and fails on a miss.
const parts = [
  ['generated.ts', '--calls', '20000'],
  ['contested.ts', '--requests', '200'],
  ['kills.ts', '--kills', '200'],
  ['events.ts', '--events', '10000', '--away', '600', '--kills', '5'],
]
for (const [program = '', ...args] of parts) {
  process.stdout.write(`\n${program} ${args.join(' ')}\n`)
  const path = fileURLToPath(new URL(program, import.meta.url))
  const { status } = spawnSync('npx', ['tsx', path, ...args, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
