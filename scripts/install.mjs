import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeComplaint } from '../server/src/cli/arguments.mjs'
import { root, Stop } from './shell.mjs'

const checkNode = () => {
  const complaint = nodeComplaint()
  if (complaint) throw new Stop(complaint)
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/** Whether everything in package-lock.json is installed, by npm's own list. */
export const isInstalled = (directory) => {
  const list = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(list)) return false
  const [wanted, found] = [packagesIn(join(directory, 'package-lock.json')), packagesIn(list)]
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    // Optional packages may be missing: they are for other machines.
    if (path === '' || optional) return true
    // A workspace package is a link to its folder, missing when the package is newer than the installation.
    return link ? existsSync(join(directory, path)) : found[path]?.version === version
  })
}

/** Installs what is missing. @throws Stop with the reason in one line, after npm's own output */
export const install = () => {
  checkNode()
  if (isInstalled(root)) return
  console.log('Installing…')
  // NODE_ENV=production or an npm setting would leave out the build tools or the database.
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
