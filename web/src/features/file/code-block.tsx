import { createContext, use } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import type { CodeSample } from './document.ts'

/** The language of all examples, and how to change it. */
export const SampleLanguage = createContext<[lang: string, choose: (lang: string) => void]>(['', () => {}])

/** Strings and comments; everything else keeps the colour of the text. A `#` in the middle of a word is no comment. */
const PARTS = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|(?<![\S])(?:\/\/|#)[^\n]*)/
const Coloured = ({ source }: { source: string }) =>
  source.split(PARTS).map((part, index) => {
    if (index % 2 === 0) return part
    const kind = /^(\/\/|#)/.test(part) ? 'api-comment' : 'api-string'
    return (
      <span key={`${index} ${part}`} className={kind}>
        {part}
      </span>
    )
  })

type CodeBlockProps = {
  /** What it is an example of. */
  name: string
  /** Shown above it, where the language does not say enough. */
  title?: string
  samples: CodeSample[]
}
/** An example with a button that copies it. With several languages, choosing one chooses it for all blocks. */
export const CodeBlock = ({ name, title, samples }: CodeBlockProps) => {
  const { t } = useWords()
  const [lang, choose] = use(SampleLanguage)
  const shown = samples.find((one) => one.lang === lang) ?? samples[0]
  if (!shown) return null
  const label = title ? `${name}: ${title}` : name
  return (
    <figure className="api-block">
      <figcaption>
        {samples.length === 1 ? (
          <span className="api-block-name">{title ?? shown.lang}</span>
        ) : (
          <span role="group" aria-label={t('file.sample_language')} className="api-langs">
            {samples.map((one) => (
              <button key={one.lang} type="button" aria-pressed={one === shown} onClick={() => choose(one.lang)}>
                {one.lang}
              </button>
            ))}
          </span>
        )}
        <button
          type="button"
          className="api-copy"
          aria-label={`${t('file.copy_example')}: ${label}`}
          onClick={() => void copyText(shown.source).then((done) => done && notify.done(t('file.copied')))}
        >
          <Icon name="copy" size={16} />
        </button>
      </figcaption>
      {/* Focusable, so that the keyboard can scroll it. */}
      <pre lang="en" tabIndex={0} role="region" aria-label={`${label}, ${shown.lang}`}>
        <code>
          <Coloured source={shown.source} />
        </code>
      </pre>
    </figure>
  )
}
