import { developing } from './development-table.mjs'

/**
 * Every command: `npm run NAME` in a clone, `tallyroom NAME` in a release. `arguments.mjs` reads the command line by it and
 * prints it as help, so nothing acts on a word or an option that is not declared here. Plain JavaScript, because a clone
 * answers `--help` before anything is installed or built.
 *
 * @typedef {{ help: string, value?: string }} Option Without `value` (the word for it in the help) it is a switch.
 * @typedef {{
 *   name: string,
 *   help: string,
 *   isOptional?: boolean,
 *   isRepeated?: boolean,
 *   pattern?: RegExp,
 *   example?: string,
 * }} Word
 * `isRepeated` takes all words that follow. `example` shows what `pattern` accepts.
 * @typedef {{
 *   help: string,
 *   words?: Word[],
 *   options?: Record<string, Option>,
 *   commands?: Record<string, Form>,
 *   notes?: string,
 * }} Form
 * What may be typed. With `commands` the first word chooses one; words beside them are those of the command alone.
 * @typedef {Form & { program?: string, script?: string, passesOn?: string }} Command
 * `program` is a file of server/dist, which a release has too; `script` is what a clone runs instead, or what only a clone
 * has. `passesOn` names the program that gets all other words and options, and refuses what it does not know.
 */

/** @type {Word} */
const username = { name: 'NAME', help: 'its username' }
/** @type {Word} */
const top = { name: 'TOP', help: 'the username of a top account, such as admin' }
/** @type {Word} */
const apiKey = { name: 'KEY', help: 'the key, such as tk_… or tks_…' }
const keyTerms = {
  rights: { value: 'LIST', help: 'what it may do, such as bets,accounts:read (docs/api.md has all), or none' },
  addresses: { value: 'LIST', help: 'the addresses or networks that it may call from, or none for everywhere' },
  expires: { value: 'DAY', help: 'the last day on which it works, such as 2027-12-31, or none' },
  'per-second': { value: 'N', help: 'the most calls in a second, or none for as many as the installation allows' },
  form: { value: 'DATE', help: 'the date of the form of calls that name none (docs/api.md), or none' },
}
/** @type {Word} */
const head = { name: 'HEAD', help: 'a head that was printed earlier', pattern: /^\d+:[0-9a-f]+$/, example: '120:9f…' }
const password = {
  help: 'asks for the password, or reads it from the standard input; without this one is made and shown once',
}
const branch = { under: { value: 'NAME', help: 'only this account and those below it' } }
const archive = { value: 'DIR', help: 'the directory of WAL_ARCHIVE: restores everything since the backup too' }
/** Option of commands whose answer a program may read. */
const json = { json: { help: 'prints JSON, for programs' } }
const encrypted = 'An encrypted backup or archive needs BACKUP_KEY or BACKUP_KEY_FILE.'

/** @type {Record<string, Command>} */
const operating = {
  start: {
    program: 'main',
    script: 'scripts/start.mjs',
    help: 'Starts the server.',
    options: { demo: { help: 'adds the sample accounts, whose members answer' } },
  },
  migrate: {
    program: 'migrate',
    help: 'Applies the migrations of this version. Older copies may serve meanwhile.',
  },
  doctor: {
    program: 'doctor',
    help: 'Checks the whole installation and says what to do. It changes nothing, and applies no migrations.',
    options: { quick: { help: 'leaves out the ledger, which reads all transfers' }, ...json },
  },
  'ledger:check': { program: 'ledger-check', help: 'Checks the invariants of the ledger.', options: json },
  'ledger:days': {
    program: 'ledger-days',
    help: 'Counts all days of the reports once more, after a change of TIME_ZONE. Stop all servers first.',
  },
  'ledger:verify': {
    program: 'ledger-verify',
    help: 'Checks that no sealed transfer was changed, removed or put in.',
    words: [
      {
        ...head,
        help: 'heads of statements or earlier runs, which the seal must still have',
        isOptional: true,
        isRepeated: true,
      },
    ],
  },
  'points:verify': { program: 'points-verify', help: 'Checks the passkey signatures of transfers.' },
  'audit:verify': {
    program: 'audit-verify',
    help: 'Checks that no entry of the audit log was changed, removed or put in.',
    words: [{ ...head, isOptional: true }],
  },
  backup: {
    program: 'backup',
    help: 'Copies database and images of a running or stopped server. With BACKUP_KEY or BACKUP_KEY_FILE encrypted.',
    words: [{ name: 'DIR', help: 'a directory that does not exist or is empty' }],
  },
  restore: {
    program: 'restore',
    help: 'Restores a backup into DATA_DIR, which must not have a database yet.',
    words: [{ name: 'BACKUP', help: 'the directory of the backup' }],
    options: { archive, until: { value: 'TIME', help: 'restores only up to this time, such as 2026-11-21T09:30:00Z' } },
    notes: encrypted,
  },
  drill: {
    program: 'drill',
    help: 'Restores a backup elsewhere, checks it and removes it.',
    words: [{ name: 'BACKUP', help: 'the directory of the backup' }],
    options: {
      archive,
      below: { value: 'DIR', help: 'where it is restored for the drill; needs as much room as the backup' },
    },
    notes: encrypted,
  },
  media: {
    program: 'media',
    help: 'Says where images and files are, and moves them.',
    commands: {
      check: { help: 'counts those in DATA_DIR/media, those in S3, and those that are lost' },
      move: {
        help: 'moves all to where new ones go: to S3, or with MEDIA_STORE=directory to DATA_DIR/media',
        notes: 'The server may serve meanwhile. When it was interrupted, run it again.',
      },
    },
  },
  account: {
    program: 'account',
    help: 'Adds, lists, changes and freezes accounts.',
    commands: {
      add: {
        help: 'makes an account below another',
        words: [{ name: 'KIND', help: 'admin, agent, cs or member' }, username],
        options: {
          under: { value: 'NAME', help: 'the account above it; without this admin' },
          password,
          nickname: { value: 'TEXT', help: 'its nickname; without this its username' },
          credit: { value: 'POINTS', help: 'its limit of credit, such as 500 or 12.5; without this 0' },
          unlimited: { help: 'it may give points without limit' },
        },
      },
      list: { help: 'the accounts, as a tree', options: branch },
      check: {
        help: 'agents and customer service with more rights than the agent above them',
        options: { ...branch, 'take-away': { help: 'takes those rights from them' } },
      },
      password: {
        help: 'a new password: ends all its sessions, and at the next sign-in the account chooses its own',
        words: [username],
        options: { password },
      },
      'payment-password': {
        help: 'a new payment password, asked for before points move',
        words: [username],
        options: { password },
      },
      'withdraw-confirm': {
        help: 'whether envelopes to it need its consent',
        words: [username, { name: 'on|off', help: 'on or off', pattern: /^(on|off)$/, example: 'on' }],
      },
      freeze: { help: 'ends its sessions, and lets it sign in no more', words: [username] },
      unfreeze: { help: 'lets it sign in again', words: [username] },
      'second-factor-off': {
        help: 'for a user who has lost phone and recovery codes; also deletes its passkeys',
        words: [username],
      },
      'four-eyes-off': {
        help: 'sensitive changes below a top account need no second account, when nobody is left to approve',
        words: [{ ...top, help: 'its username; without this the first top account', isOptional: true }],
      },
      'agent-token': { help: 'an address that signs in once within a minute, without logout', words: [username] },
      'landing-token': { help: 'the same for an ordinary session', words: [username] },
    },
  },
  database: {
    program: 'move-database',
    help: 'Carries the embedded database to another PostgreSQL. Stop all servers first.',
    commands: {
      export: {
        help: 'into the empty database of DATABASE_URL, which the next start then uses',
      },
      upgrade: {
        help: 'to the release of POSTGRES_BIN or, without it, of this Tallyroom',
        options: { from: { value: 'DIR', help: "the programs of the release that made it, if they aren't found" } },
      },
    },
    notes: 'The old database stays where it was, or beside the new one: remove it when you are content.',
  },
  person: {
    program: 'person',
    help: 'Exports or erases a member.',
    commands: {
      export: {
        help: 'what is kept of a member, as person.json with its images and files',
        words: [username, { name: 'DIR', help: 'a directory that does not exist yet' }],
      },
      erase: {
        help: 'deletes what names a member or was written by or to it; cannot be undone',
        words: [username],
        options: { again: { value: 'NAME', help: 'the same username once more' } },
        notes: 'Its transfers and balances stay, under a number.',
      },
    },
    notes: 'Admins do the same on the page "Personal data", where erasing needs a second admin.',
  },
  'api-key': {
    program: 'api-key',
    help: 'Lists, makes, rotates and revokes keys of the member API, and empties its sandbox.',
    commands: {
      list: { help: 'the keys of a top account', words: [top], options: json },
      add: {
        help: 'a new key; its secret is shown this once',
        words: [top, { name: 'LABEL', help: 'what it is for', isOptional: true }],
        options: { sandbox: { help: 'a key of its sandbox, which is made with the first one' }, ...keyTerms },
      },
      set: { help: 'changes what a key may do', words: [top, apiKey], options: keyTerms },
      rotate: { help: 'a new key; the old one works for another day', words: [top, apiKey] },
      revoke: { help: 'ends a key at once', words: [top, apiKey] },
      empty: { help: 'removes all accounts of its sandbox; keys and endpoints stay', words: [top] },
    },
    notes: 'How a call is signed: /file/api in the back office.',
  },
  key: {
    program: 'key',
    help: "Checks that the installation's key is there and right.",
    words: [],
    commands: {
      accept: {
        help: 'accepts the present or a new key when the key is lost',
        notes:
          'Authenticators sealed with the lost key stop working; recovery codes still work. Stop all servers first.',
      },
    },
  },
}

export const table = { ...operating, ...developing }
