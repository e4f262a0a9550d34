import { call } from '../../api/call.ts'
import { useMay } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { SaveFile } from '../../ui/save-file.tsx'
import type { StatementHead, StatementInput } from './use-statement.ts'
import { headText } from './words.ts'

/** Below a statement on the screen: its seal, and what checks it without the server. */
export const SealPart = ({ head, input }: { head: StatementHead; input: StatementInput }) => {
  const { t } = useWords()
  const mayLoad = useMay('statement/seal')
  if (!head.seal) return null
  const load = async () => {
    const { name, seal } = await call('statement/seal', input)
    return { name, csv: seal, type: 'application/json' }
  }
  return (
    <section className="statement-held">
      <h2>{t('seal.title')}</h2>
      <SealText seal={head.seal} />
      {mayLoad && (
        <div className="seal-tools">
          <SaveFile label={t('seal.file')} load={load} />
          <a className="button" href="/check.html" download="check.html">
            {t('seal.page')}
          </a>
          <span>{t('seal.how')}</span>
        </div>
      )}
    </section>
  )
}

/** At the foot of the printed sheet. */
export const SheetSeal = ({ head }: { head: StatementHead }) => {
  const { t } = useWords()
  if (!head.seal) return null
  return (
    <footer className="sheet-seal">
      <h2>{t('seal.title')}</h2>
      <SealText seal={head.seal} />
      <p>{t('seal.how')}</p>
    </footer>
  )
}

const SealText = ({ seal }: { seal: NonNullable<StatementHead['seal']> }) => {
  const { t } = useWords()
  return (
    <>
      <p>{seal.waiting === 0 ? t('seal.what') : t('seal.waiting', { count: groupCount(seal.waiting) })}</p>
      <dl className="seal-head">
        <dt>{t('seal.block')}</dt>
        <dd className="points">
          {groupCount(seal.block)} · {seal.at}
        </dd>
        <dt>{t('seal.head')}</dt>
        <dd>
          <code>{headText(seal.head)}</code>
        </dd>
      </dl>
    </>
  )
}
