import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, Suspense, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { actionsOf, useMenu } from '../../api/use-menu.ts'
import { timeZone } from '../../i18n/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { ClearInput } from '../../ui/form/clear-input.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { rightTopics, rightWord, topicOf } from '@tallyroom/contract/words/right-words'
import { RightLine } from './right-line.tsx'
import { useRights } from './use-rights.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import './right.css'

const EditDialog = lazyPart(async () => (await import('../account/edit-dialog.tsx')).EditDialog)

/** RIGHT-02. /rights: what the user may do; /rights/ID: what an account below may do, and through whom. */
export const RightsPage = () => {
  const { id } = useParams({ strict: false })
  return <Rights key={id} id={id === undefined ? undefined : Number(id)} />
}

/** The rights of an account below, or without an id the own. */
export const Rights = ({ id }: { id: number | undefined }) => {
  const { t } = useWords()
  const rights = useRights(id)
  const [text, setText] = useState('')
  const [isEditing, setEditing] = useState(false)
  const { view } = rights
  const { data } = view
  const mayDecide = data?.rights.some(({ may_give, may_take }) => may_give || may_take) ?? false
  const isFound = (name: string) => fold(rightWord(t, name)).includes(foldWanted(text))
  const found = data?.rights.filter(({ name }) => isFound(name)) ?? []
  const may = actionsOf(useMenu().pageOf(data?.role_id ?? 0))
  const mayEdit = data !== undefined && !data.is_self && may.includes('edit')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rights.save((waits) => notify.done(t(waits ? 'change.asked' : 'right.saved')))
  }
  return (
    <form className="rights card" onSubmit={submit} noValidate>
      <UnsavedChanges hasChanges={rights.changed > 0} />
      {view.isPending && <p role="status">{t('table.loading')}</p>}
      {view.error && <Alert text={view.error.message} />}
      {data && (
        <>
          <p className="rights-who">
            <AccountLink who={data}>
              <Person who={{ ...data, thumbnail: '' }} role />
            </AccountLink>
            {mayEdit && (
              <Button icon="edit" onClick={() => setEditing(true)}>
                {t('right.abilities')}
              </Button>
            )}
          </p>
          <h2>{data.is_self ? t('right.title_own') : t('right.title', { name: nameOf(data) })}</h2>
          <p className="rights-hint">
            {t('right.hint')} {t('right.zone', { zone: timeZone() })}
          </p>
          {/* Enter would save what has been changed so far. */}
          <div onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
            <ClearInput label={t('right.find')} placeholder={t('right.find')} value={text} onChange={setText} />
          </div>
          {found.length === 0 && <p role="status">{t('right.none')}</p>}
          {rightTopics.map((topic) => {
            const own = found.filter(({ page }) => topicOf(page) === topic)
            return (
              own.length > 0 && (
                <section key={topic} aria-label={t(`right.group_${topic}`)}>
                  <h3>{t(`right.group_${topic}`)}</h3>
                  <ul>
                    {own.map((right) => (
                      <RightLine
                        key={right.name}
                        right={right}
                        role={data.role_id}
                        choice={rights.choiceOf(right)}
                        isWrong={rights.isWrong(right)}
                        onChoose={(choice) => rights.choose(right, choice)}
                      />
                    ))}
                  </ul>
                </section>
              )
            )
          })}
        </>
      )}
      {isEditing && id !== undefined && (
        <EditOf id={id} mayFreeze={may.includes('delete')} onClose={() => setEditing(false)} />
      )}
      {mayDecide && (
        <footer className="rights-foot">
          {rights.saveError && <Alert text={rights.saveError.message} />}
          <span role="status">{rights.changed > 0 && t('right.changed', { n: rights.changed })}</span>
          <Button onClick={rights.reset} disabled={rights.changed === 0 || rights.isSaving}>
            {t('action.cancel')}
          </Button>
          <Button main submits disabled={rights.changed === 0} busy={rights.isSaving}>
            {t('action.save')}
          </Button>
        </footer>
      )}
    </form>
  )
}

/** What the account sees and may do beside its rights. */
const EditOf = ({ id, ...rest }: { id: number; mayFreeze: boolean; onClose: () => void }) => {
  const { data } = useCall('user/view', { id }, { staleTime: 0 })
  if (!data) return null
  return (
    <Suspense>
      <EditDialog row={data} isAtRights {...rest} />
    </Suspense>
  )
}
