import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const folder = fileURLToPath(new URL('rivals', import.meta.url))
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

const runHere = (command: string, args: string[], env: Record<string, string> = {}) => {
  const { status } = spawnSync(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** They have packages and a lock of their own, so that the product never depends on them. */
export const buildRivals = () => {
  const kept = join(folder, 'node_modules/.package-lock.json')
  const versions = (file: string) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string }> }
    return packages
  }
  const wanted = versions(join(folder, 'package-lock.json'))
  const found = existsSync(kept) ? versions(kept) : {}
  const isThere = ['react-admin', 'antd', 'react', 'vite'].every((name) => {
    const path = `node_modules/${name}`
    return found[path]?.version === wanted[path]?.version
  })
  if (!isThere) runHere('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  for (const RIVAL of ['admin', 'starter'])
    runHere(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel=error'], {
      RIVAL,
      NODE_ENV: 'production',
    })
}

/** A built rival. Its server compresses files ahead, as ours does, and answers every address with the page. */
export const serveRival = async (name: 'admin' | 'starter'): Promise<{ url: string; close(): void }> => {
  const files = new Map<string, { type: string; plain: Buffer; small: Buffer }>()
  const load = (path: string) => {
    const known = files.get(path)
    if (known) return known
    const plain = readFileSync(join(folder, 'dist', name, path))
    const small = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
    const file = { type: types[extname(path)] ?? 'application/octet-stream', plain, small }
    files.set(path, file)
    return file
  }
  const server = createServer(({ url = '/' }, answer) => {
    const { pathname } = new URL(url, 'http://localhost')
    if (pathname === '/favicon.ico') return answer.writeHead(204).end()
    const { type, small } = load(pathname.startsWith('/assets/') ? pathname : '/index.html')
    answer.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'content-length': small.length }).end(small)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  load('/index.html')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
