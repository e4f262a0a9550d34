import { runArchiver } from '../data/sealed-wal.ts'

/** Started by our own PostgreSQL, and by nobody else, for each file of its log. */
process.exitCode = await runArchiver(process.argv.slice(2), process.env)
