/** A message as the operator can type it: a release has its own program (deploy/tallyroom) and needs no npm. */
export const asTyped = (text: string, program = process.env.TALLYROOM_PROGRAM): string =>
  program
    ? text
        .replaceAll(/npm run ([a-z]+(?:[:-][a-z]+)?)(?: --(?=\s))?/g, (_, name: string) => `${program} ${name}`)
        .replaceAll('npm start', program)
    : text

/** Prints a line for the operator. */
export const say = (line: string): void => void process.stdout.write(`${asTyped(line)}\n`)
