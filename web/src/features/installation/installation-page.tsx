import type { Answer } from '@tallyroom/contract'
import { type FindingState, type InstallationPart, installationTopics } from '@tallyroom/contract/installation'
import type { WordKey } from '@tallyroom/locales'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { GUIDE_OF_ADMINISTRATORS } from '../../domain/guides.ts'
import { Chip } from '../../domain/status.tsx'
import { adviceOf, sentenceOf } from './sentences.ts'
import './installation.css'

const parts = {
  now: 'installation.now',
  safety: 'installation.safety',
  space: 'installation.space',
  checks: 'installation.checks',
} satisfies Record<InstallationPart, WordKey>

const states = {
  fine: { tone: 'in', icon: 'check', word: 'installation.fine' },
  warning: { tone: 'waiting', icon: 'alert', word: 'installation.warning' },
  wrong: { tone: 'refused', icon: 'alert', word: 'installation.wrong' },
} as const satisfies Record<FindingState, { tone: string; icon: string; word: WordKey }>

/** RUN-02: how the installation is, in words, for admins. What somebody should look at comes with what to do. */
export const InstallationPage = () => {
  const { t } = useWords()
  const { data, error, isFetching, refetch } = useCall('installation/view', {})
  if (!data) return error ? <Alert text={error.message} /> : <p role="status">{t('table.loading')}</p>
  const troubles = data.findings.filter(({ state }) => state !== 'fine').length
  return (
    <div className="installation">
      <div className="installation-head">
        <p className={`installation-said ${troubles ? 'installation-look' : ''}`} role="status">
          <Icon name={troubles ? 'alert' : 'check'} />
          {troubles ? t('installation.look', { count: troubles }) : t('installation.all_fine')}
        </p>
        <span className="installation-versions">{versionsText(data.versions)}</span>
        <span className="installation-at">{t('installation.at', { at: showMoment(data.at) })}</span>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {t('webhook.refresh')}
        </Button>
        <a className="button" href={GUIDE_OF_ADMINISTRATORS} target="_blank" rel="noopener">
          <Icon name="help" />
          {t('menu.help')}
        </a>
      </div>
      {error && <Alert text={error.message} />}
      {(Object.keys(parts) as InstallationPart[]).map((part) => (
        <Part key={part} part={part} found={data} />
      ))}
    </div>
  )
}

/** Names and numbers, in every language alike. */
const versionsText = ({ tallyroom, node, postgres }: Answer<'installation/view'>['versions']) =>
  `Tallyroom ${tallyroom} · Node ${node}${postgres ? ` · PostgreSQL ${postgres}` : ''}`

type PartProps = { part: InstallationPart; found: Answer<'installation/view'> }

const Part = ({ part, found: { findings, is_outside: isOutside, commands } }: PartProps) => {
  const { t } = useWords()
  const rows = installationTopics[part].flatMap((topic) => findings.find((one) => one.topic === topic) ?? [])
  if (rows.length === 0) return null
  return (
    <section className="card">
      <h2>{t(parts[part])}</h2>
      <ul className="installation-rows">
        {rows.map((finding) => (
          <li key={finding.topic}>
            <span>{sentenceOf(t, finding, isOutside)}</span>
            <Chip {...states[finding.state]} />
            {finding.state !== 'fine' && (
              <span className="installation-advice">{adviceOf(t, finding, isOutside, commands)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
