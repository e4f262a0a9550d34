import type { z } from 'zod'
import { metaOf, namesOf } from '../server/src/config/env.ts'
import { settingGroups } from '../server/src/config/setting-groups.ts'
import { markdownTable } from './markdown-table.ts'

/** The value of a setting that is not set, as it would be typed; empty without one. */
const fallbackOf = (kind: z.core.$ZodType): string => {
  const { data } = (kind as z.ZodType).safeParse(undefined)
  if (typeof data === 'boolean') return data ? '1' : '0'
  return typeof data === 'number' || typeof data === 'string' ? String(data) : ''
}

const shownFallback = (kind: z.core.$ZodType): string => {
  const fallback = fallbackOf(kind)
  return metaOf(kind).shownFallback ?? (fallback && `\`${fallback}\``)
}

/** docs/settings.md: every setting with its fallback and what it sets. */
export const settingsPage = (): string => {
  const groups = settingGroups.map(({ heading, shape }) => {
    const rows = Object.entries(shape).map(([name, kind]) => [
      namesOf({ [name]: kind })
        .map((one) => `\`${one}\``)
        .join(', '),
      shownFallback(kind),
      metaOf(kind).description ?? '',
    ])
    return `## ${heading}\n\n${markdownTable(['Setting', 'Default', 'What it sets'], rows)}\n`
  })
  return `# Settings

<!-- Written by \`npm run reference\` from server/src/config/setting-groups.ts. -->

Every setting is a variable of the environment. \`npm start\` and the commands also read a file \`.env\`
in the working directory, and the units of an installation read \`/etc/tallyroom.env\`; what is set
already stays. [.env.example](../.env.example) has all
settings to copy from.

An empty variable counts as not set. A misspelt one (\`WIDGET_ORIGIN\`) is refused at the start with
the name that was meant, and \`npm run doctor\` checks the values. A secret may be in a file instead:
the variable whose name ends with \`_FILE\` names it.

${groups.join('\n')}`
}

/** A description without links and code marks, for a file that is read as it is. */
const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

/** Lines of at most `width` columns. */
export const wrapped = (text: string, width: number): string[] => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}

/** .env.example: every setting with its fallback, commented out. */
export const envExample = (): string => {
  const groups = settingGroups.map(({ heading, shape }) => {
    const entries = Object.entries(shape).map(([name, kind]) => {
      const { description = '', isSecret } = metaOf(kind)
      const comment = wrapped(plain(description), 98).map((line) => `# ${line}`)
      const fallback = fallbackOf(kind).startsWith('/') ? plain(shownFallback(kind)) : fallbackOf(kind)
      return [...comment, `#${name}=${fallback}`, ...(isSecret ? [`#${name}_FILE=`] : [])].join('\n')
    })
    return `# ${heading}\n\n${entries.join('\n\n')}\n`
  })
  return `# Copy this file to .env, and remove the # in front of what you set. Written by npm run reference.
# docs/settings.md has the same settings with links.

${groups.join('\n')}`
}
