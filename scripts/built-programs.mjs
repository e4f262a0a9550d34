import { buildServer } from './build.mjs'

/** Before all tests: the server's programs, which tests start. From the source each would first compile for a second. */
export default () => buildServer()
