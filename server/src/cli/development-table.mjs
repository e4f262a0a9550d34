const quick = { quick: { help: 'tries it in a few seconds, and keeps no result' } }
const profile = { profile: { help: 'leaves the processor profile of the server in test-results/' } }
/** @type {(name: string, help: string, options?: Record<string, import('./table.mjs').Option>) => import('./table.mjs').Command} */
const bench = (name, help, options = quick) => ({ script: `bench/${name}.ts`, help, options })
const text = { name: 'TEXT', help: 'the text; of a plural its form "other"' }
const key = { name: 'KEY', help: 'such as room.archive' }
const forms = Object.fromEntries(
  ['zero', 'one', 'two', 'few', 'many'].map((form) => [form, { value: 'TEXT', help: `the plural form "${form}"` }]),
)

/** Commands of a clone alone. @type {Record<string, import('./table.mjs').Command>} */
export const developing = {
  demo: { script: 'scripts/demo.mjs', help: 'Starts the server with sample accounts, whose members answer.' },
  dev: {
    script: 'scripts/dev/main.mjs',
    help: 'Starts the server and pages for development: both follow every change of a source.',
    options: { demo: { help: 'adds the sample accounts, whose members answer' } },
  },
  test: {
    script: 'scripts/test.mjs',
    help: 'Runs all checks, tests and journeys, or those whose file has a given part in its name.',
    passesOn: 'Vitest and Playwright',
  },
  'test:one': {
    script: 'scripts/test-one.mjs',
    help: 'Runs the tests of files or folders from the source.',
    passesOn: 'Vitest, or for a journey Playwright',
  },
  'test:long': {
    script: 'scripts/test-long.mjs',
    help: 'Runs what takes too long for every change: weights, contrast and overflow in all languages.',
  },
  check: {
    script: 'scripts/check.mjs',
    help: 'Checks format, lint, types and the rules of the repository.',
    options: { 'without-tidy': { help: 'leaves out the rules of the repository' } },
  },
  reference: {
    script: 'scripts/reference.ts',
    help: 'Writes docs/commands.md, docs/settings.md, docs/api.md and .env.example from the tables of the program.',
  },
  nodes: {
    script: 'scripts/nodes.mjs',
    help: 'Starts a fresh clone and runs the tests of the server with other versions of Node.',
    words: [
      {
        name: 'VERSION',
        help: 'versions of Node; without this 22, 24 and 26',
        isOptional: true,
        isRepeated: true,
        pattern: /^\d+(\.\d+)*$/,
        example: '24',
      },
    ],
    options: {
      tests: { value: 'PARTS', help: 'only test files with one of these in their path, with commas between' },
    },
  },
  schema: {
    script: 'scripts/schema/main.ts',
    help: 'Writes server/schema/ from the migrations.',
    options: {
      check: { help: 'instead compares every query of the server with the schema' },
      all: { help: 'with --check: also names the queries that it cannot read' },
    },
  },
  seed: {
    script: 'scripts/seed.ts',
    help: 'Adds accounts and rooms to look at, beside a running server.',
    words: [{ name: 'SCENARIO', help: 'empty, waiting-rooms, envelopes or masked' }],
  },
  pictures: {
    script: 'scripts/pictures.ts',
    help: 'Takes the pictures of docs/screens.md, beside npm run demo.',
    words: [
      { name: 'FOLDER', help: 'where to put them' },
      { name: 'PART', help: 'only those with this in their name', isOptional: true },
    ],
  },
  words: {
    script: 'scripts/words/main.ts',
    help: 'Edits the texts of the eleven languages.',
    commands: {
      add: {
        help: 'a new key in all languages, to be translated',
        words: [key, { ...text, help: 'the English text; of a plural its form "other"' }],
        options: { after: { value: 'KEY', help: 'the key that it follows in the files' }, ...forms },
      },
      set: {
        help: 'the text of a language',
        words: [key, { name: 'LANGUAGE', help: 'such as zh-TW' }, text],
        options: forms,
      },
      keep: {
        help: 'an outdated translation, or all of them, is still right',
        words: [key, { name: 'LANGUAGE', help: 'only this one', isOptional: true }],
      },
      rename: { help: 'in all languages', words: [key, { name: 'NEW-KEY', help: 'its new name' }] },
      remove: { help: 'from all languages', words: [key] },
      check: { help: 'what still needs a translator, with the plural forms of each language' },
    },
  },
  release: {
    script: 'scripts/release.mjs',
    help: 'Makes the archive of a release in release/.',
    options: {
      arch: { value: 'ARCH', help: "x64 or arm64; without it, this machine's" },
      unfinished: {
        help: 'also with open translations, old pictures or a changelog without the date; not to be published',
      },
    },
  },
  'bench:ledger': bench('ledger/ledger', 'Measures durable transfers a second, beside pgbench.', {
    ...quick,
    ...profile,
  }),
  'bench:chat': bench('chat/chat', 'Measures the delivery of messages, beside a relay.', { ...quick, ...profile }),
  'bench:archive': bench('chat/archive', 'Measures the delivery in 10,000 rooms, beside ejabberd.'),
  'bench:lists': bench('lists/lists', 'Measures a list of 50,000 accounts.', { ...quick, ...profile }),
  'bench:sign-in': bench('sign-in/sign-in', 'Measures light calls beside sign-ins.'),
  'bench:report': {
    ...bench('report/report', 'Measures reports and histories.'),
    words: [
      {
        name: 'TRANSFERS',
        help: 'numbers of transfers; without this 100 thousand, 1 million and 10 million',
        isOptional: true,
        isRepeated: true,
        pattern: /^\d+$/,
        example: '100000',
      },
    ],
  },
  'bench:room': bench('room/room', 'Measures a room of 100,000 messages in Chromium.'),
  'bench:start': bench('start/start', 'Measures the start of the server, and the weight of its pages.'),
  'bench:web': bench('web/web', 'Measures the first paint of pages, beside those of others.'),
  hour: { script: 'bench/hour/hour.ts', help: 'Plays the working hour of a person at the desk (CONV-17).' },
}
