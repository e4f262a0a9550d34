import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that a lock file names for running, each once, with the folder it is installed in. */
export const packagesOf = (lock) =>
  Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version, license }]) => ({ path, name: path.split('node_modules/').at(-1), version, license }))

/**
 * The licences of everything that a release or its pages contain, as their authors want them passed on. A package without
 * a file of its own, or for another machine and so not installed, is named with what its manifest says.
 */
export const noticesOf = (lock, root) =>
  packagesOf(lock)
    .map(({ path, name, version, license }) => {
      const folder = join(root, path)
      const files = existsSync(folder) ? readdirSync(folder) : []
      const texts = files
        .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license ?? 'see its files'})`, '', ...texts].join('\n').trim()
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
