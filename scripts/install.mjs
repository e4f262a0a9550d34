import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, Stop } from './shell.mjs'

const OLDEST = [20, 19]

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new Stop(
    `Tallyroom needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}. Get one at https://nodejs.org`,
  )
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/** Is everything there that package-lock.json asks for? npm keeps its own list of what it has installed. */
export const isInstalled = (directory) => {
  const list = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(list)) return false
  const [wanted, found] = [packagesIn(join(directory, 'package-lock.json')), packagesIn(list)]
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    // What is optional may rightly be missing: it is made for another machine.
    if (path === '' || optional) return true
    // A package of the workspace is a link to its folder, missing when the package is newer than the installation.
    return link ? existsSync(join(directory, path)) : found[path]?.version === version
  })
}

/** Installs what is missing. @throws Stop with the reason in one line, after npm's own words */
export const install = () => {
  checkNode()
  if (isInstalled(root)) return
  console.log('Installing…')
  // NODE_ENV=production or an npm setting would leave out the tools that build us, or the database.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status === 0) return
  throw new Stop(
    error
      ? `Cannot run npm (${error.code}). Install it together with Node, then start again.`
      : 'npm could not install the packages (its reason is above). Check the network and that this directory is writable, then start again.',
  )
}
