import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PostgresError } from './error.ts'
import type { Owner } from './process.ts'

/** "nobody" on every Linux: needs no entry in /etc/passwd. */
const NOBODY = { uid: 65534, gid: 65534 }
/** Where root's database is stored when it cannot be below DATA_DIR. */
const ELSEWHERE = '/var/lib/tallyroom'
/** The longest path of a unix socket, without the terminating byte. */
const LONGEST_SOCKET = process.platform === 'darwin' ? 103 : 107

const isRoot = () => process.getuid?.() === 0
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

const allows = (path: string, bit: number, owner: NonNullable<Owner>) => {
  const { mode, uid, gid } = statSync(path)
  return (mode & (uid === owner.uid ? bit << 6 : gid === owner.gid ? bit << 3 : bit)) !== 0
}

/** Whether the owner may enter this directory. Checked by root for another uid; otherwise the system itself refuses. */
export const canEnter = (directory: string, owner: Owner): boolean => {
  if (!owner) return true
  for (let path = realpathSync(directory); ; path = dirname(path)) {
    if (!allows(path, 1, owner)) return false
    if (path === dirname(path)) return true
  }
}

export const isReadable = (file: string, owner: Owner): boolean =>
  !owner || (allows(file, 4, owner) && canEnter(dirname(realpathSync(file)), owner))

export const chownTree = (path: string, owner: Owner) => {
  if (!owner) return
  lchownSync(path, owner.uid, owner.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) chownTree(join(path, name), owner)
}

/** Makes a directory and those above it. Node's own `recursive` never returns below /proc, where nothing can be made. */
export const makeDirectory = (path: string, mode: number) => {
  if (existsSync(path)) return
  if (path !== dirname(path)) makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process made it first.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Makes DATA_DIR if it is missing. @throws PostgresError when it cannot be written */
export const prepareDataDir = (dataDir: string) => {
  try {
    makeDirectory(resolve(dataDir), 0o700)
    const { mode, uid } = statSync(dataDir)
    const isOurs = uid === process.getuid?.() && (mode & 0o1000) === 0
    // The uid that runs the database for root has to pass through, whatever the umask; others cannot read the contents.
    if (isOurs) chmodSync(dataDir, isRoot() ? 0o711 : 0o700)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const denied = codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
    const remedy = denied ? 'Start Tallyroom as the user who owns it' : 'Mend that'
    throw new PostgresError(
      `Cannot write to the data directory ${dataDir} (${codeOf(error)}). ${remedy}, or choose another one with DATA_DIR=…`,
    )
  }
}

export type DataDir = {
  /** PostgreSQL's data directory. */
  cluster: string
  /** The directory of what is beside it: the socket, a copy of the programs, temporary directories. */
  home: string
  owner: Owner
  isNew: boolean
}

const dataDirOf = (entry: string): DataDir => {
  if (!existsSync(entry)) {
    throw new PostgresError(
      `The database was kept in ${readlinkSync(entry)}, which is gone. Bring it back, or remove ${entry} to begin with an empty database.`,
    )
  }
  const cluster = realpathSync(entry)
  const { uid, gid } = statSync(cluster)
  const owner = !isRoot() ? undefined : uid === 0 ? NOBODY : { uid, gid }
  if (!isRoot() && uid !== process.getuid?.()) {
    throw new PostgresError(
      `The database in ${cluster} belongs to another user (uid ${uid}; was Tallyroom started as root before?). Start it as that user or as root, or choose another DATA_DIR.`,
    )
  }
  // A backup restored by root belongs to root, but PostgreSQL insists on owning its directory.
  if (uid === 0) chownTree(cluster, owner)
  chmodSync(cluster, 0o700)
  if (!canEnter(cluster, owner)) {
    throw new PostgresError(
      `The database runs as uid ${owner?.uid}, who cannot enter ${cluster}. Give everyone the right to pass through the directories above it (chmod o+x), or choose another DATA_DIR.`,
    )
  }
  return { cluster, home: dirname(cluster), owner, isNew: false }
}

/** The paths of this DATA_DIR's database. */
export const locate = (dataDir: string, log: (line: string) => void, elsewhere = ELSEWHERE): DataDir => {
  const entry = join(dataDir, 'postgres')
  if (lstatSync(entry, { throwIfNoEntry: false })) return dataDirOf(entry)
  const owner = isRoot() ? NOBODY : undefined
  const home = realpathSync(dataDir)
  if (canEnter(home, owner)) return { cluster: join(home, 'postgres'), home, owner, isNew: true }
  // Root's home is closed to others, so the database has to be outside of it; a link names the place.
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  const outside = mkdtempSync(join(elsewhere, 'db-'))
  chmodSync(outside, 0o711)
  if (!canEnter(outside, owner)) {
    rmdirSync(outside)
    throw new PostgresError(
      `The database of root runs as uid ${owner?.uid}, who can enter neither ${home} nor ${elsewhere}. Start Tallyroom as the user who owns ${elsewhere}, or choose a DATA_DIR that others may enter.`,
    )
  }
  log(`The database is kept in ${outside}, because ${home} lies in a directory that is closed to others`)
  return { cluster: join(outside, 'postgres'), home: outside, owner, isNew: true }
}

/** Writes the link by which the next start finds a database that is stored elsewhere. */
export const remember = (dataDir: string, { cluster }: DataDir) => {
  const entry = join(dataDir, 'postgres')
  if (!lstatSync(entry, { throwIfNoEntry: false })) symlinkSync(cluster, entry)
}

/** The directory of the socket, closed to everyone else: connecting needs no password. */
export const socketDirectory = ({ home, cluster, owner }: DataDir): string => {
  const fits = (path: string) => Buffer.byteLength(join(path, '.s.PGSQL.5432')) <= LONGEST_SOCKET
  const short = `tallyroom-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const path = [join(home, 'socket'), join(tmpdir(), short), join('/tmp', short)].find(fits) ?? join('/tmp', short)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(path)
  const ours = owner ? [0, owner.uid] : [process.getuid?.()]
  if (!lstatSync(path).isDirectory() || !ours.includes(uid)) {
    throw new PostgresError(`${path} belongs to someone else. Remove it, or choose a shorter DATA_DIR.`)
  }
  if (owner) chownSync(path, owner.uid, owner.gid)
  chmodSync(path, 0o700)
  return path
}
