/** Reads the settings of a file `.env`, when there is one. A variable that is set already keeps its value. */
export const readEnvFile = (/** @type {string} */ path) => {
  try {
    process.loadEnvFile(path)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT') return
    console.error(`${path}: cannot read it (${code}). Let the user that starts Tallyroom read it, or remove it.`)
    process.exit(1)
  }
}
