import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { argumentsOf } from '../server/src/cli/arguments.mjs'
import { failedTests } from './failures.mjs'
import { main, root, Stop } from './shell.mjs'

// `npm run nodes`: starts a fresh clone and runs the server's tests with other versions of Node, and prints what differs.

const VERSIONS = ['22', '24', '26']

/**
 * Node's binaries come from the npm package `node`. They are where another user can start them: started by root, the
 * database runs as `nobody` and starts Node for each file of its log. @returns the folder for PATH
 */
const binariesOf = (version) => {
  const folder = join(tmpdir(), 'tallyroom-nodes', version)
  const bin = join(folder, 'node_modules/node/bin')
  if (existsSync(join(bin, 'node'))) return bin
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--no-save', '--prefix', folder, `node@${version}`]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Stop(`npm could not install node@${version} (its reason is above).`)
  return bin
}

/** Warnings of Node about what it will not do in a later version. */
const warningsIn = (output) => [...new Set(output.match(/\(node:\d+\) .*Warning: .*/g) ?? [])]

const run = (args, { cwd, env, until }) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(args[0], args.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const take = (chunk) => {
      output += chunk
      if (until?.test(output)) child.kill('SIGTERM')
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.once('close', (code) => resolve({ code, output }))
  })

/** What is not as it should be with this version; empty when all is well. */
const differencesWith = async (version, only) => {
  const bin = binariesOf(version)
  const clone = mkdtempSync(join(tmpdir(), `tallyroom-node-${version}-`))
  chmodSync(clone, 0o755)
  try {
    const cloned = spawnSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone], { stdio: 'inherit' })
    if (cloned.status !== 0) throw new Stop('git could not clone this repository.')
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, PORT: '0', HOST: '127.0.0.1' }
    const node = join(bin, 'node')
    console.log(`${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()} in ${clone}`)

    const started = await run([node, 'scripts/run.mjs', 'start'], { cwd: clone, env, until: /is ready at \S+/ })
    const found = warningsIn(started.output)
    if (started.code !== 0) return [`it does not start (exit code ${started.code}):\n${started.output.trim()}`]
    console.log('  it starts and stops')

    const report = join(clone, 'nodes.json')
    const vitest = join(clone, 'node_modules/vitest/vitest.mjs')
    const wanted = only.length > 0 ? only : ['server', 'contract', 'postgres', 'locales']
    const reporters = ['--reporter=json', `--outputFile.json=${report}`]
    const tested = await run([node, vitest, 'run', '--project=node', ...reporters, ...wanted], { cwd: clone, env })
    if (!existsSync(report)) return [...found, `the tests did not run:\n${tested.output.trim()}`]
    const results = JSON.parse(readFileSync(report, 'utf8'))
    console.log(`  ${results.numPassedTests} tests passed`)
    return [...found, ...warningsIn(tested.output), ...failedTests(results)]
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

await main(async () => {
  const { words, values } = argumentsOf('nodes')
  for (const version of words.length > 0 ? words : VERSIONS) {
    const differences = await differencesWith(version, values.tests?.split(',') ?? [])
    for (const difference of differences) console.log(`  ${difference}`)
    if (differences.length === 0) console.log('  nothing differs')
    else process.exitCode = 1
  }
})
