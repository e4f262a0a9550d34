import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { CodeBlock } from './code-block.tsx'
import {
  answerExample,
  answerLines,
  bodyOf,
  type Entries,
  eventExample,
  type Guide,
  type RefusalRow,
} from './document.ts'
import { answerLinesOf, type FieldLine, linesOf } from './schema-lines.ts'

/** `code` in a text of the document. */
const Inline = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part))

/** A text of the document: paragraphs and lists, with code. */
const Prose = ({ text }: { text: string }) =>
  text.split('\n\n').map((part) =>
    part.startsWith('- ') ? (
      <ul key={part} lang="en">
        {part.split('\n').map((line) => (
          <li key={line}>
            <Inline text={line.slice(2)} />
          </li>
        ))}
      </ul>
    ) : (
      <p key={part} lang="en">
        <Inline text={part} />
      </p>
    ),
  )

type EntryProps = { id: string; name: string; isCode?: boolean; text: ReactNode; code?: ReactNode }
/** One entry of the index: its text on the left, its examples on the right. */
const Entry = ({ id, name, isCode, text, code }: EntryProps) => {
  const { t } = useWords()
  return (
    <section id={id} className="api-entry" aria-labelledby={`${id}-title`}>
      <div className="api-text">
        <h3>
          <span id={`${id}-title`} lang="en">
            {isCode ? <code>{name}</code> : name}
          </span>{' '}
          <a className="api-anchor" href={`#${id}`} aria-label={t('file.link_to', { name })}>
            #
          </a>
        </h3>
        {text}
      </div>
      {code && <div className="api-code">{code}</div>}
    </section>
  )
}

const Fields = ({ title, lines }: { title: string; lines: FieldLine[] }) => {
  const { t } = useWords()
  if (lines.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <dl className="api-fields">
        {lines.map(({ name, type, required, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span lang="en">{type}</span>
              {required && <b>{t('file.required')}</b>}
            </dt>
            {description && (
              <dd lang="en">
                <Inline text={description} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </>
  )
}

const Refusals = ({ rows, withStatus }: { rows: RefusalRow[]; withStatus?: boolean }) => {
  const { t } = useWords()
  if (rows.length === 0) return null
  return (
    <>
      <h4>{t('file.refusals')}</h4>
      <dl className="api-fields api-refusals">
        {rows.map(({ status, code, name, message }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span>{withStatus ? `HTTP ${status} · ${code}` : code}</span>
            </dt>
            <dd lang="en">{message}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

export const GuideEntry = ({ guide, refusals }: { guide: Guide; refusals: RefusalRow[] }) => (
  <Entry
    id={guide.id}
    name={guide.title}
    text={
      <>
        <Prose text={guide.text} />
        {guide.id === 'answers' && <Refusals rows={refusals} withStatus />}
      </>
    }
    code={guide.samples.length > 0 && <CodeBlock name={guide.title} samples={guide.samples} />}
  />
)

type CallEntryProps = Entries['parts'][number]['calls'][number] & { base: string }
export const CallEntry = ({ id, path, call, base }: CallEntryProps) => {
  const { t } = useWords()
  return (
    <Entry
      id={id}
      name={call.summary}
      text={
        <>
          <p className="api-road">
            <b>POST</b> <code>{`${base}${path}`}</code>
          </p>
          <Prose text={call.description} />
          <Fields title={t('file.asked')} lines={linesOf(bodyOf(call))} />
          <Fields title={t('file.answered')} lines={answerLines(call)} />
          <Refusals rows={call['x-refusals']} />
        </>
      }
      code={
        <>
          <CodeBlock name={call.summary} samples={call['x-codeSamples']} />
          <CodeBlock name={call.summary} title={t('file.answer_example')} samples={answerExample(call)} />
        </>
      }
    />
  )
}

export const EventEntry = ({ id, name, event }: Entries['events'][number]) => {
  const { t } = useWords()
  return (
    <Entry
      id={id}
      name={name}
      isCode
      text={
        <>
          <Prose text={event.summary} />
          <Fields title={t('file.sent')} lines={answerLinesOf(bodyOf(event))} />
        </>
      }
      code={<CodeBlock name={name} title={t('file.event_example')} samples={eventExample(event)} />}
    />
  )
}
