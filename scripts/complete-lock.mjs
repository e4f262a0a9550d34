import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './shell.mjs'

// When a registry lacks a package for another system (a mirror, a company's proxy), npm silently leaves it out of
// package-lock.json, and `npm ci` then refuses the lock on every machine. This adds the missing ones: run
// `node scripts/complete-lock.mjs` after adding a dependency, when tidy says so.

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'wasm32',
]
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/** The system that a package is made for, from its name: `@oxlint/binding-linux-x64-musl`. */
const platformOf = (name) => {
  const words = name.split(/[/-]/)
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : undefined
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(libc && os === 'linux' && { libc }),
    ...(os && os !== 'wasm32' && { os: [os] }),
  }
}

/** Where npm would find a package for one installed at this path. */
const isFound = (packages, path, name) => {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true
    if (at === '') return false
  }
}

/** The optional packages that a package names and the lock lacks. */
export const missingFrom = ({ packages }) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && !isFound(packages, path, name))
      .map(([name, version]) => ({
        path: `node_modules/${name}`,
        entry: { version, ...platformOf(name), ...(dev && { dev }), optional: true },
      })),
  )

const complete = () => {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingFrom(lock)
  for (const { path, entry } of missing) lock.packages[path] ??= entry
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
  console.log(`${missing.length} packages for other systems written into package-lock.json`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) complete()
